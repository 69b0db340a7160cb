// Programs of engineering and science: hardware and circuit languages, solvers, algebra, other languages, data formats.
import { bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const ARGS: Category = "invalid_arguments";
const BUILD: Category = "build_failure";

const file = (name: string, text: string) => ({ files: { [name]: text } });

export const SCIENCE: Family = {
  name: "science",
  cases: [
    bad("iverilog", "syntax", "iverilog -o a.out @stem@.v", BUILD, "@stem@.v:3", {
      ...file("@stem@.v", "module @stem@;\n  reg a\n  initial a = 1;\nendmodule\n"),
      also: ["error"],
    }),
    bad("iverilog", "unknown-module", "iverilog -o a.out @stem@.v", BUILD, "@other@_unit", {
      ...file("@stem@.v", "module @stem@;\n  @other@_unit u();\nendmodule\n"),
      also: ["not_found", "error"],
    }),
    bad("iverilog", "missing-file", "iverilog -o a.out @missing@", "not_found", "@missing@", { also: [BUILD] }),
    fine("iverilog", "compiles", "iverilog -o a.out @stem@.v && vvp a.out", {
      ...file("@stem@.v", 'module @stem@;\n  initial $display("0 errors, @stem@ is stable");\nendmodule\n'),
    }),
    bad("yosys", "missing-file", "yosys -q -p 'read_verilog @missing@'", "not_found", "@missing@", { also: ["error"] }),
    bad("yosys", "unknown-command", "yosys -q -p '@id@ -top x'", ARGS, "@id@", { also: ["not_found", "error"] }),
    bad("yosys", "syntax", "yosys -q -p 'read_verilog @stem@.v'", BUILD, "@stem@.v:2", {
      ...file("@stem@.v", "module @stem@;\n  wire = 3;\nendmodule\n"),
      also: ["error"],
    }),
    fine("yosys", "reads", "yosys -q -p 'read_verilog @stem@.v; stat'", {
      ...file("@stem@.v", "module @stem@(input a, output b);\n  assign b = !a;\nendmodule\n"),
    }),
    bad("ngspice", "missing-file", "ngspice -b @missing@", "not_found", "@missing@", { also: ["error"] }),
    bad("ngspice", "unknown-model", "ngspice -b @stem@.cir", "error", "@other@", {
      ...file("@stem@.cir", "@stem@\nV1 1 0 5\nD1 1 0 @other@\n.op\n.end\n"),
      also: ["not_found", BUILD],
    }),
    bad("z3", "parse", "z3 @stem@.smt2", "error", "@id@", {
      ...file("@stem@.smt2", "(declare-const x Int)\n(assert (> @id@ 3))\n(check-sat)\n"),
      also: ["not_found", BUILD, ARGS],
    }),
    bad("z3", "missing-file", "z3 @missing@", "not_found", "@missing@", { also: ["error", ARGS] }),
    bad("z3", "unknown-option", "z3 --@stem@ x.smt2", ARGS, "@stem@", { also: ["error"] }),
    fine("z3", "unsat", "z3 @stem@.smt2", {
      ...file("@stem@.smt2", "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 2))\n(check-sat)\n"),
    }),
    bad("glpsol", "syntax", "glpsol --math @stem@.mod", BUILD, "@id@", {
      ...file("@stem@.mod", "var x >= 0;\nmaximize z: @id@ * 3;\nend;\n"),
      also: ["error", "not_found"],
    }),
    bad("glpsol", "missing-file", "glpsol --lp @missing@", "not_found", "@missing@", { also: ["error"] }),
    bad("glpsol", "bad-option", "glpsol --@stem@", ARGS, "@stem@"),
    fine("glpsol", "infeasible", "glpsol --math @stem@.mod", {
      ...file("@stem@.mod", "var x >= 0;\nmaximize z: x;\ns.t. c1: x <= @n@;\nend;\n"),
    }),
    bad("minizinc", "undefined", "minizinc --solver gecode @stem@.mzn", "error", "@id@", {
      ...file("@stem@.mzn", "var 1..3: x;\nconstraint x > @id@;\nsolve satisfy;\n"),
      also: ["not_found", BUILD, ARGS],
      exit: "any",
    }),
    bad("minizinc", "missing-file", "minizinc -c @missing@.mzn", "not_found", "@missing@.mzn", { also: ["error"] }),
    bad("gp", "syntax", "echo '@id@ = [1,2' | gp -q", "error", "syntax error", { exit: "any", also: [BUILD] }),
    bad("gp", "domain", "echo '1/0' | gp -q", "error", "division", { exit: "any", seeds: 1 }),
    fine("gp", "factor", "echo 'factor(@big@)' | gp -q"),
    bad("maxima", "wrong-number", "maxima --very-quiet --batch-string='solve(x^2=@n@, 3);'", "error", "solve", {
      exit: "any",
      also: [ARGS],
    }),
    bad("maxima", "missing-file", "maxima --very-quiet --batch @missing@", "not_found", "@missing@", {
      exit: "any",
      also: ["error"],
    }),
    fine("maxima", "derives", "maxima --very-quiet --batch-string='diff(x^@n@, x);'"),
    bad("gforth", "undefined-word", "gforth -e '@id@ bye'", "error", "Undefined word", { also: ["not_found", BUILD] }),
    bad("gforth", "stack-underflow", "gforth -e '1 + . bye'", "error", "Stack underflow", {
      also: ["crash"],
      seeds: 1,
    }),
    bad("gforth", "missing-file", "gforth @missing@.fs", "not_found", "@missing@.fs", { also: ["error"] }),
    fine("gforth", "prints", "gforth -e '@n@ 4 * . bye'"),
    bad("csi", "unbound", "csi -q -e '(display @id@)'", "error", "@id@", { also: ["not_found"] }),
    bad("csi", "missing-file", "csi -s @missing@.scm", "not_found", "@missing@.scm", { also: ["error"] }),
    bad("csi", "raised", "csi -q -e '(error \"@msg@\")'", "error", "@msg@"),
    fine("csi", "caught", "csi -q -e '(print \"error handling is documented\")'"),
    bad("nim", "undeclared", "nim c --hints:off @stem@.nim", BUILD, "@id@", {
      ...file("@stem@.nim", "echo @id@\n"),
      also: ["error", "not_found"],
    }),
    bad("nim", "type", "nim check --hints:off @stem@.nim", BUILD, "type mismatch", {
      ...file("@stem@.nim", 'let x: int = "@stem@"\n'),
      also: ["error"],
    }),
    bad("nim", "missing-file", "nim c @stem@_@other@.nim", "not_found", "@stem@_@other@.nim", {
      also: [BUILD, "error"],
    }),
    bad("gnatmake", "type", "gnatmake -q @stem@.adb", BUILD, '"@id@" is undefined', {
      ...file("@stem@.adb", "procedure @stem@ is\nbegin\n  @id@;\nend @stem@;\n"),
      also: ["error", "not_found"],
    }),
    bad("gnatmake", "missing-file", "gnatmake -q @stem@_x.adb", "not_found", "@stem@_x.adb", { also: [BUILD] }),
    bad("valac", "undefined", "valac -C @stem@.vala", BUILD, "@id@", {
      ...file("@stem@.vala", "void main () {\n  print (@id@);\n}\n"),
      also: ["error", "not_found"],
    }),
    bad("valac", "missing-package", "valac -C --pkg @pkg@ @stem@.vala", "not_found", "@pkg@", {
      ...file("@stem@.vala", "void main () { }\n"),
      also: [BUILD, "error"],
    }),
    fine("valac", "compiles", "valac -C @stem@.vala && ls", file("@stem@.vala", "void main () { }\n")),
    bad("sml", "unbound", "sml @stem@.sml < /dev/null", BUILD, "@id@", {
      ...file("@stem@.sml", "val x = @id@ + 1;\n"),
      exit: "any",
      also: ["error", "not_found"],
    }),
    bad("ncdump", "missing-file", "ncdump -h @missing@", "not_found", "@missing@"),
    bad("ncdump", "not-netcdf", "ncdump -h @file@", "error", "@file@", { ...file("@file@", "@msg@\n"), also: [ARGS] }),
    bad("ncgen", "syntax", "ncgen -o a.nc @stem@.cdl", "error", "syntax error", {
      ...file("@stem@.cdl", "netcdf @stem@ {\n dimensions: x = ;\n}\n"),
      also: [BUILD],
    }),
    fine("ncdump", "reads", "ncdump -h a.nc", {
      ...file("@stem@.cdl", "netcdf @stem@ {\n dimensions: x = 3;\n variables: float error(x);\n}\n"),
      setup: "ncgen -o a.nc *.cdl",
    }),
    bad("h5dump", "not-hdf5", "h5dump -H @file@", "error", "@file@", { ...file("@file@", "@msg@\n"), also: [ARGS] }),
    bad("h5dump", "missing-file", "h5dump -H @missing@", "not_found", "@missing@", { also: ["error"] }),
    bad("gdalinfo", "missing-file", "gdalinfo @missing@", "not_found", "@missing@"),
    bad("gdalinfo", "not-raster", "gdalinfo @file@", "error", "@file@", { ...file("@file@", "@msg@\n"), also: [ARGS] }),
    bad("ogrinfo", "not-vector", "ogrinfo @stem@.shp", "error", "@stem@.shp", {
      ...file("@stem@.shp", "@msg@\n"),
      also: [ARGS],
    }),
    bad("ogr2ogr", "unknown-driver", "ogr2ogr -f @type@ out in.csv", ARGS, "@type@", {
      ...file("in.csv", "a,b\n1,2\n"),
      also: ["not_found", "error"],
    }),
    fine("ogrinfo", "reads", "ogrinfo -so -al @stem@.csv", file("@stem@.csv", "error,failed\n1,2\n")),
    bad("samtools", "missing-file", "samtools view @missing@.bam", "not_found", "@missing@.bam"),
    bad("samtools", "not-bam", "samtools view @stem@.bam", "error", "@stem@.bam", {
      ...file("@stem@.bam", "@msg@\n"),
      also: [ARGS],
    }),
    bad("samtools", "unknown-command", "samtools @stem@ a.bam", ARGS, "@stem@", { also: ["not_found"] }),
    bad("bcftools", "missing-file", "bcftools view @missing@.vcf", "not_found", "@missing@.vcf"),
    bad("bcftools", "not-vcf", "bcftools view @stem@.vcf", "error", "@stem@.vcf", {
      ...file("@stem@.vcf", "@msg@\n"),
      also: [ARGS],
    }),
    bad("rrdtool", "missing-file", "rrdtool info @missing@.rrd", "not_found", "@missing@.rrd"),
    bad("rrdtool", "not-rrd", "rrdtool info @stem@.rrd", "error", "@stem@.rrd", {
      ...file("@stem@.rrd", "@msg@\n"),
      also: [ARGS],
    }),
    bad(
      "rrdtool",
      "bad-function",
      "rrdtool create a.rrd DS:@stem@:@other@:600:0:1 RRA:AVERAGE:0.5:1:10",
      ARGS,
      "@other@",
      {
        also: ["error"],
      },
    ),
    fine(
      "rrdtool",
      "creates",
      "rrdtool create a.rrd DS:errors:GAUGE:600:0:1 RRA:AVERAGE:0.5:1:10 && rrdtool info a.rrd",
    ),
    bad("gdb", "missing-file", "gdb -batch -ex run ./@missing@", "not_found", "@missing@", { exit: "any" }),
    bad("gdb", "no-symbol", "gdb -batch -ex 'print @id@' /bin/true", "error", "@id@", {
      exit: "any",
      also: ["not_found"],
    }),
    fine("gdb", "version", "gdb -batch -ex 'print @big@ + 1'"),
    bad("units", "unknown", "units '3 @stem@s' 'm'", "error", "@stem@", { also: ["not_found", ARGS] }),
    bad("units", "conformability", "units '@n@ kg' 'm'", "error", "conformability error", { also: [ARGS] }),
    fine("units", "converts", "units -t '@big@ km' 'mi'"),
  ],
};
