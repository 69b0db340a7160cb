// Programs that convert data, documents, media and archives.
import { answer, bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const L = { localized: true } as const;
const ARGS: Category = "invalid_arguments";
const BUILD: Category = "build_failure";

const file = (name: string, text: string) => ({ files: { [name]: text } });
const CSV = file("@stem@.csv", "name,amount\nann,3\nbob,x\n");
const PNG = "convert -size 8x8 xc:red a.png";
const ARCHIVE = { ...file("a.txt", "@msg@\n") };

export const DOCUMENTS: Family = {
  name: "documents",
  cases: [
    bad("xsltproc", "bad-stylesheet", "xsltproc @stem@.xsl a.xml", "error", "@stem@.xsl", {
      files: { "@stem@.xsl": "<x>", "a.xml": "<a/>" },
      also: [ARGS, BUILD],
    }),
    bad("xsltproc", "missing", "xsltproc a.xsl @missing@.xml", "not_found", "@missing@.xml", {
      ...file(
        "a.xsl",
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"></xsl:stylesheet>\n',
      ),
      also: ["error"],
    }),
    bad("xsltproc", "message-stops", "xsltproc a.xsl a.xml", "error", "@msg@", {
      files: {
        "a.xsl":
          '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><xsl:message terminate="yes">@msg@</xsl:message></xsl:template></xsl:stylesheet>\n',
        "a.xml": "<a/>\n",
      },
    }),
    bad("xmllint", "schema", "xmllint --noout --schema a.xsd a.xml", "error", "@stem@", {
      files: {
        "a.xsd":
          '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="@other@" type="xs:int"/></xs:schema>\n',
        "a.xml": "<@stem@>1</@stem@>\n",
      },
      also: [ARGS, "not_found"],
    }),
    bad("xmllint", "xpath", "xmllint --xpath '//@stem@[' a.xml", ARGS, "XPath", {
      ...file("a.xml", "<a/>\n"),
      also: ["error"],
    }),
    fine("xmllint", "valid", "xmllint --noout --valid a.xml; echo checked, no errors", {
      ...file("a.xml", "<!DOCTYPE a [<!ELEMENT a EMPTY>]>\n<a/>\n"),
    }),
    bad("mlr", "missing-file", "mlr --icsv --ojson cat @missing@.csv", "not_found", "@missing@.csv"),
    bad("mlr", "bad-verb", "mlr --icsv --ojson @stem@ a.csv", ARGS, "@stem@", {
      ...file("a.csv", "a\n1\n"),
      also: ["not_found"],
    }),
    bad("mlr", "bad-expression", "mlr --icsv --ojson put '$y = @id@(' @stem@.csv", ARGS, "parse", {
      ...CSV,
      also: ["error"],
    }),
    bad(
      "mlr",
      "ragged",
      "mlr --icsv --ojson cat @stem@.csv",
      "error",
      "@stem@.csv",
      file("@stem@.csv", "a,b\n1,2,3\n"),
    ),
    fine("mlr", "error-values", "mlr --icsv --ojson put '$total = $amount * 2' @stem@.csv", CSV),
    bad("datamash", "not-a-number", "datamash -t, -H sum 2 < @stem@.csv", "error", "'x'", {
      ...CSV,
      ...L,
      also: [ARGS],
    }),
    bad("datamash", "bad-operation", "datamash @stem@ 1 < a", ARGS, "@stem@", { ...file("a", "1\n"), ...L }),
    bad("datamash", "missing-field", "datamash -t, sum 7 < a", ARGS, "7", {
      ...file("a", "1,2\n"),
      ...L,
      also: ["error"],
    }),
    bad("csvcut", "unknown-column", "csvcut -c @id@ @stem@.csv", ARGS, "@id@", {
      ...CSV,
      also: ["not_found", "error"],
    }),
    bad("csvsql", "bad-query", "csvsql --query 'select @id@ from @stem@' @stem@.csv", "not_found", "@id@", {
      ...CSV,
      seeds: 1,
      also: ["error", ARGS],
    }),
    bad("csvjson", "missing", "csvjson @missing@.csv", "not_found", "@missing@.csv", { seeds: 1 }),
    fine("csvstat", "stats", "csvstat --count @stem@.csv", { ...CSV, seeds: 1 }),
    fine("csvclean", "fixes", "csvclean -n @stem@.csv; true", {
      ...file("@stem@.csv", "a,b\n1,2,3\n"),
      maskable: false,
    }),
    bad(
      "sqlite3",
      "locked",
      "sqlite3 -cmd '.timeout 10' a.db 'insert into t values (1)'",
      "error",
      "readonly database",
      {
        setup: "sqlite3 a.db 'create table t (x)'; chmod 444 a.db",
        also: ["permission_denied"],
      },
    ),
    bad("sqlite3", "constraint", "sqlite3 a.db 'insert into t values (1)'", "error", "t.@id@", {
      setup: "sqlite3 a.db 'create table t (@id@ integer primary key); insert into t values (1)'",
      also: ["precondition"],
    }),
    bad(
      "sqlite3",
      "not-a-database",
      "sqlite3 @file@ .tables",
      "error",
      "not a database",
      file("@file@", "x".repeat(600)),
    ),
    bad("sqlite3", "import", "sqlite3 a.db '.import @missing@.csv t'", "not_found", "@missing@.csv", {
      also: ["error"],
    }),
    fine(
      "sqlite3",
      "integrity",
      "sqlite3 a.db 'create table errors (x); pragma integrity_check; select count(*) from errors'",
    ),
    bad("jq", "index-string", "jq '.[0].@id@.x' a.json", "error", "Cannot index", file("a.json", '[{"@id@": "s"}]')),
    bad("jq", "error-call", `echo '{"a":1}' | jq 'if .b then . else error("@msg@") end'`, "error", "@msg@"),
    bad("jq", "bad-file", "jq -f @missing@.jq a.json", "not_found", "@missing@.jq", {
      ...file("a.json", "1"),
      also: ["error"],
    }),

    bad("7z", "missing", "7z x @missing@.7z", "not_found", "@missing@.7z", { also: ["error"] }),
    bad("7z", "not-an-archive", "7z x @stem@.7z", "error", "@stem@.7z", {
      ...file("@stem@.7z", "text\n"),
      also: [ARGS],
    }),
    bad("7z", "wrong-password", "7z x -pno a.7z", "auth", "Wrong password", {
      ...ARCHIVE,
      setup: "7z a -pyes -mhe=on a.7z a.txt; rm a.txt",
      also: ["error"],
    }),
    bad("7z", "bad-command", "7z @stem@ a.7z", ARGS, "@stem@", { also: ["error"] }),
    fine("7z", "tests", "7z t a.7z", { ...ARCHIVE, setup: "7z a a.7z a.txt" }),
    bad("zstd", "not-zstd", "zstd -d @stem@.zst", "error", "@stem@.zst", {
      ...file("@stem@.zst", "text\n"),
      also: [ARGS],
    }),
    bad("zstd", "missing", "zstd @missing@", "not_found", "@missing@"),
    bad("zstd", "truncated", "zstd -d a.zst -o out", "error", "a.zst", {
      setup: "seq 99999 | zstd -q -o b.zst; head -c 3000 b.zst > a.zst",
      also: ["incomplete"],
    }),
    bad("zstd", "bad-option", "zstd --@stem@ a", ARGS, "--@stem@"),
    fine("zstd", "tests", "zstd -t a.zst", { setup: "seq 999 | zstd -q -o a.zst" }),
    bad("brotli", "corrupt", "brotli -d @stem@.br", "error", "@stem@.br", {
      ...file("@stem@.br", "text text text\n"),
      also: [ARGS],
    }),
    bad("lzip", "corrupt", "lzip -d @stem@.lz", "error", "@stem@.lz", { ...file("@stem@.lz", "text\n"), also: [ARGS] }),
    bad("cpio", "not-cpio", "cpio -t < @file@", "error", "cpio:", { ...file("@file@", "text\n"), ...L, also: [ARGS] }),
    bad("tar", "truncated", "tar xf a.tar", "error", "tar:", {
      setup: "head -c 9000 /dev/zero > b; tar cf c.tar b; head -c 2000 c.tar > a.tar",
      ...L,
      also: ["incomplete"],
    }),
    bad("tar", "member-missing", "tar xf a.tar @missing@", "not_found", "@missing@", {
      ...ARCHIVE,
      setup: "tar cf a.tar a.txt",
      ...L,
    }),
    bad("unsquashfs", "not-squashfs", "unsquashfs @stem@.sqsh", "error", "@stem@.sqsh", {
      ...file("@stem@.sqsh", "text\n"),
      also: [ARGS],
    }),
    bad("mksquashfs", "missing", "mksquashfs @missing@ out.sqsh", "not_found", "@missing@"),
    bad("ar", "not-an-archive", "ar t @stem@.a", "error", "@stem@.a", {
      ...file("@stem@.a", "text\n"),
      ...L,
      also: [ARGS],
    }),
    bad("strip", "not-an-object", "strip @file@", "error", "@file@", {
      ...file("@file@", "text\n"),
      ...L,
      also: [ARGS],
    }),
    bad("readelf", "not-elf", "readelf -h @file@; test -z x", "error", "readelf:", {
      ...file("@file@", "text of some length, not ELF\n"),
      ...L,
      also: [ARGS],
    }),

    bad("ffmpeg", "unknown-encoder", "ffmpeg -i a.wav -c:a @stem@ b.mp3", ARGS, "@stem@", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav",
      also: ["not_found", "error"],
    }),
    bad("ffmpeg", "unknown-filter", "ffmpeg -i a.wav -af @stem@ b.wav", ARGS, "@stem@", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav",
      also: ["not_found", "error"],
    }),
    bad("ffmpeg", "exists", "ffmpeg -n -i a.wav b.wav", "precondition", "b.wav", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav; cp a.wav b.wav",
      also: ["error"],
    }),
    bad("ffmpeg", "no-output", "ffmpeg -i a.wav", ARGS, "At least one output file", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav",
      also: ["error"],
    }),
    bad("ffmpeg", "no-video", "ffmpeg -i a.wav -map 0:v b.mp4", ARGS, "matches no streams", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav",
      also: ["error", "not_found"],
    }),
    bad("ffprobe", "invalid", "ffprobe -hide_banner @stem@.mp4", "error", "@stem@.mp4", {
      ...file("@stem@.mp4", "text\n"),
      also: [ARGS],
    }),
    bad("ffprobe", "missing", "ffprobe -v error @missing@.mkv", "not_found", "@missing@.mkv"),
    fine("ffmpeg", "converts", "ffmpeg -i a.wav -err_detect ignore_err b.flac", {
      setup: "ffmpeg -f lavfi -i sine=d=1 a.wav",
    }),
    fine("ffprobe", "shows", "ffprobe -hide_banner a.wav", { setup: "ffmpeg -f lavfi -i sine=d=1 a.wav" }),
    bad("sox", "missing", "sox @missing@.wav out.wav", "not_found", "@missing@.wav"),
    bad("sox", "bad-effect", "sox a.wav b.wav @stem@ 3", ARGS, "@stem@", {
      setup: "sox -n a.wav synth 1",
      also: ["error"],
    }),
    bad("sox", "unknown-format", "sox a.wav b.@stem@", ARGS, "@stem@", {
      setup: "sox -n a.wav synth 1",
      also: ["error", "not_found"],
    }),
    bad("flac", "not-audio", "flac @stem@.wav", "error", "@stem@.wav", {
      ...file("@stem@.wav", "text\n"),
      also: [ARGS],
    }),
    bad("convert", "not-an-image", "convert @stem@.png b.jpg", "error", "@stem@.png", {
      ...file("@stem@.png", "text\n"),
      also: [ARGS],
    }),
    bad("convert", "bad-option", "convert a.png -@stem@ 3 b.png", ARGS, "-@stem@", { setup: PNG }),
    bad("convert", "bad-geometry", "convert a.png -resize @stem@ b.png", ARGS, "@stem@", {
      setup: PNG,
      also: ["error"],
    }),
    bad("identify", "missing", "identify @missing@.gif", "not_found", "@missing@.gif"),
    fine("identify", "shows", "identify error.png", { setup: "convert -size 8x8 xc:red error.png" }),
    bad("exiftool", "missing", "exiftool @missing@.jpg", "not_found", "@missing@.jpg"),
    bad("exiftool", "unwritable", "exiftool -Comment=x @stem@.txt", "error", "@stem@.txt", {
      ...file("@stem@.txt", "text\n"),
      also: [ARGS],
    }),
    bad("rsvg-convert", "not-svg", "rsvg-convert @stem@.svg -o a.png", "error", "@stem@.svg", {
      ...file("@stem@.svg", "<svg"),
      also: [ARGS],
    }),
    bad("tesseract", "missing", "tesseract @missing@.png out", "not_found", "@missing@.png", { also: ["error"] }),
    bad("tesseract", "language", "tesseract a.png out -l @stem@", "not_found", "@stem@", {
      setup: PNG,
      also: ["error", "precondition"],
    }),

    bad("qpdf", "missing", "qpdf @missing@.pdf out.pdf", "not_found", "@missing@.pdf"),
    bad("qpdf", "damaged", "qpdf --check @stem@.pdf", "error", "@stem@.pdf", {
      ...file("@stem@.pdf", "%PDF-1.4\ntext\n"),
      also: [ARGS],
    }),
    bad("qpdf", "bad-option", "qpdf --@stem@ a.pdf b.pdf", ARGS, "@stem@"),
    bad("pdftotext", "missing", "pdftotext @missing@.pdf", "not_found", "@missing@.pdf"),
    bad("pdfinfo", "damaged", "pdfinfo @stem@.pdf", "error", "PDF", {
      ...file("@stem@.pdf", "text\n"),
      fact: "^",
      also: [ARGS],
    }),
    bad("gs", "missing", "gs -q -dBATCH -dNOPAUSE -sDEVICE=nullpage @missing@.ps", "not_found", "@missing@.ps", {
      also: ["error"],
    }),
    bad("gs", "undefined", "gs -q -dBATCH -dNOPAUSE -sDEVICE=nullpage a.ps", "error", "@id@", {
      ...file("a.ps", "%!PS\n@id@ showpage\n"),
      also: ["not_found"],
    }),
    bad("dot", "syntax", "dot -Tsvg @stem@.dot -o a.svg", "error", "@stem@.dot", {
      ...file("@stem@.dot", "digraph g {\n  a -> ;\n}\n"),
      also: [BUILD, ARGS],
    }),
    bad("dot", "missing", "dot -Tsvg @missing@.dot", "not_found", "@missing@.dot"),
    bad("dot", "format", "dot -T@stem@ a.dot", ARGS, "@stem@", {
      ...file("a.dot", "digraph g { a }\n"),
      also: ["not_found"],
    }),
    bad("gnuplot", "undefined", "gnuplot a.gp", "error", "@id@", {
      ...file("a.gp", "set terminal dumb\nplot @id@\n"),
      also: ["not_found"],
    }),
    bad("gnuplot", "missing-data", "gnuplot a.gp", "not_found", "@missing@", {
      ...file("a.gp", "set terminal dumb\nplot '@missing@'\n"),
      also: ["error"],
    }),
    bad("gnuplot", "missing-script", "gnuplot @missing@.gp", "not_found", "@missing@.gp", { also: ["error"] }),
    bad("msgfmt", "syntax", "msgfmt @stem@.po", BUILD, "@stem@.po", {
      ...file("@stem@.po", 'msgid "a"\nmsgstr "b\n'),
      ...L,
      also: ["error"],
    }),
    bad("msgfmt", "missing", "msgfmt @missing@.po", "not_found", "@missing@.po", L),
    fine("msgfmt", "statistics", "msgfmt --statistics -o /dev/null a.po", {
      ...file("a.po", 'msgid "Error"\nmsgstr "Fehler"\n\nmsgid "failed"\nmsgstr ""\n'),
      ...L,
    }),
    bad("groff", "missing", "groff @missing@.ms", "not_found", "@missing@.ms"),
    bad("makeinfo", "syntax", "makeinfo --no-split @stem@.texi", BUILD, "@stem@.texi", {
      ...file("@stem@.texi", "\\input texinfo\n@@node Top\n@@unknowncmd{x}\n@@bye\n"),
      ...L,
      also: ["error"],
    }),
    bad("sassc", "undefined", "sassc @stem@.scss", BUILD, "$@id@", {
      ...file("@stem@.scss", "a { color: $@id@; }\n"),
      also: ["error", "not_found"],
    }),
    bad("sassc", "missing-import", "sassc a.scss", "not_found", "@stem@", {
      ...file("a.scss", "@@import '@stem@';\n"),
      also: [BUILD, "error"],
    }),
    bad("ledger", "unbalanced", "ledger -f @stem@.dat bal", "error", "does not balance", {
      ...file("@stem@.dat", "2024/01/02 Shop\n  Expenses:Food  $10\n  Assets:Cash  $-9\n"),
    }),
    bad("ledger", "missing", "ledger -f @missing@.dat bal", "not_found", "@missing@.dat", { also: ["error"] }),
    bad("hledger", "unbalanced", "hledger -f @stem@.j bal", "error", "unbalanced", {
      ...file("@stem@.j", "2024-01-02 Shop\n  expenses:food  $10\n  assets:cash  $-9\n"),
      seeds: 1,
    }),
    bad("sbcl", "condition", "sbcl --script @stem@.lisp", "error", "@msg@", file("@stem@.lisp", '(error "@msg@")\n')),
    bad("sbcl", "unbound", "sbcl --script @stem@.lisp", "error", "@STEM@", {
      ...file("@stem@.lisp", "(print *zeta-@stem@*)\n"),
      fact: "unbound",
      also: ["not_found"],
    }),
    bad("racket", "raise", "racket @stem@.rkt", "error", "@msg@", {
      ...file("@stem@.rkt", '#lang racket/base\n(error "@msg@")\n'),
      seeds: 1,
    }),
    bad("racket", "unbound", "racket @stem@.rkt", "error", "@id@", {
      ...file("@stem@.rkt", "#lang racket/base\n(display @id@)\n"),
      also: [BUILD, "not_found"],
      seeds: 1,
    }),
    bad("escript", "badmatch", "escript @stem@.erl", "error", "badmatch", {
      ...file("@stem@.erl", '#!/usr/bin/env escript\nmain(_) -> {ok, _} = file:read_file("@missing@").\n'),
      also: ["not_found"],
    }),
    bad("escript", "undefined-function", "escript @stem@.erl", BUILD, "@stem@_run", {
      ...file("@stem@.erl", "#!/usr/bin/env escript\nmain(_) -> @stem@_run().\n"),
      also: ["error", "not_found"],
    }),
    bad("cobc", "undefined", "cobc -x @stem@.cob", BUILD, "@stem@.cob", {
      ...file(
        "@stem@.cob",
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. A.\n       PROCEDURE DIVISION.\n           DISPLAY ZETA.\n",
      ),
      ...L,
      also: ["error"],
    }),
    bad("fpc", "undefined", "fpc @stem@.pas", BUILD, "@id@", {
      ...file("@stem@.pas", "begin\n  writeln(@id@);\nend.\n"),
      also: ["error", "not_found"],
    }),
    bad("octave-cli", "undefined", "octave-cli --no-history a.m", "error", "@id@", {
      ...file("a.m", "x = @id@ + 1\n"),
      also: ["not_found"],
      seeds: 1,
    }),
    bad("octave-cli", "nonconformant", "octave-cli --no-history a.m", "error", "nonconformant", {
      ...file("a.m", "[1 2 3] * [4 5]\n"),
      also: [ARGS],
      seeds: 1,
    }),
    answer("grep", "no-match-archive", "tar tf a.tar | grep @missing@", "grep-no-match", 1, {
      ...ARCHIVE,
      setup: "tar cf a.tar a.txt",
      maskable: false,
    }),
    fine("zgrep", "log-errors", "gzip -c app.log > app.log.gz; zgrep -h ERROR app.log.gz", {
      ...file("app.log", "10:01 INFO start\n10:02 ERROR @msg@\n10:03 ERROR @msg2@\n"),
    }),
    fine("strings", "messages", "strings -n 6 /bin/ls | grep -i 'cannot' | head -n 5", { maskable: false }),
    fine("readelf", "symbols", "readelf -Ws --dyn-syms /bin/ls | grep -m 6 -i err", { maskable: false }),
    fine(
      "man-text",
      "errors-page",
      'python3 -c "import errno, os; [print(n, errno.errorcode[n], os.strerror(n)) for n in range(1, 14)]"',
      {
        needs: ["python3"],
      },
    ),
    fine("datamash", "counts", "datamash -t, -s -g 1 count 1 < a", {
      ...file("a", "error\nok\nok\nfailed\n"),
    }),
    fine("mlr", "log-table", "mlr --icsv --opprint count-by status a.csv", {
      ...file("a.csv", "status,n\nfailed,1\ntimeout,2\nfailed,3\n"),
    }),
    fine("sqlite3", "failed-jobs", "sqlite3 -header -column a.db 'select * from jobs'", {
      setup: `sqlite3 a.db "create table jobs (id, state, error); insert into jobs values (1, 'failed', '@msg@'), (2, 'ok', null)"`,
    }),
    fine("jq", "error-field", "jq -c '.[] | {id, error}' a.json", {
      ...file("a.json", '[{"id": 1, "error": null}, {"id": 2, "error": "@msg@"}]'),
    }),
    fine("xsltproc", "report", "xmllint --xpath 'count(//error)' a.xml", {
      ...file("a.xml", "<log><error>@msg@</error><error>@msg2@</error></log>"),
      needs: ["xmllint"],
    }),
    fine(
      "dot",
      "renders",
      "dot -Tplain a.dot",
      file("a.dot", 'digraph g { start -> error [label="fails"]; error -> retry }\n'),
    ),
    fine("sbcl", "handled", "sbcl --script a.lisp", {
      ...file("a.lisp", '(handler-case (error "@msg@") (error (e) (format t "handled: ~a~%" e)))\n'),
    }),
    fine("escript", "handled", "escript a.erl", {
      ...file(
        "a.erl",
        '#!/usr/bin/env escript\nmain(_) -> try error({@stem@, "@msg@"}) catch _:R -> io:format("caught ~p, continuing~n", [R]) end.\n',
      ),
    }),
    fine("octave-cli", "caught", "octave-cli --no-history a.m", {
      ...file(
        "a.m",
        "try\n  error('@msg@');\ncatch e\n  printf('skipped: %s\\n', e.message);\nend\ndisp('finished')\n",
      ),
      seeds: 2,
    }),
  ],
};
