// Installs the programs of the laboratory: Debian packages by apt-get (root only), npm and Python packages into a folder.
//
//   npx node scripts/lab/install.ts [--cache FOLDER]
//
// A package that cannot be installed is named and skipped; the laboratory then skips its cases.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const DEBIAN = [
  "locales-all gettext coreutils git util-linux iproute2 procps",
  "bash dash zsh ksh fish busybox",
  "gcc g++ gcc-12-locales clang clang-tidy make cmake ninja-build meson ant maven valgrind cppcheck nasm gfortran",
  "golang-go rustc cargo default-jdk-headless ocaml-nox ghc mono-mcs elixir",
  "python3 python3-pip python3-venv python3-pytest python3-requests python3-yaml python3-numpy python3-pandas",
  "python3-jsonschema junit4 mypy flake8 pylint black yamllint shellcheck bats",
  "ruby ruby-rspec ruby-minitest bundler rubocop php-cli phpunit php-codesniffer composer perl",
  "lua5.4 luarocks tcl guile-3.0 r-base-core swi-prolog",
  "jq yq sqlite3 postgresql postgresql-client redis-tools mariadb-client curl wget",
  "rsync zip unzip xz-utils patch file tree ripgrep bc openssh-client netcat-openbsd telnet dnsutils",
  "libxml2-utils tidy pandoc imagemagick ffmpeg gnupg openssl sudo subversion mercurial",
  "nginx-light haproxy apache2-bin nftables redis-server age restic borgbackup rclone skopeo ansible-core",
  "e2fsprogs parted cryptsetup-bin dosfstools scons bison flex protobuf-compiler systemd",
  "xsltproc miller datamash csvkit p7zip-full zstd brotli lzip cpio squashfs-tools binutils sox flac exiftool",
  "librsvg2-bin tesseract-ocr qpdf poppler-utils ghostscript graphviz gnuplot-nox groff texinfo sassc ledger hledger",
  "sbcl racket erlang-base gnucobol4 fpc octave",
  "iverilog yosys ngspice z3 glpk-utils minizinc maxima pari-gp gforth chicken-bin nim gnat valac smlnj units gdb",
  "gdal-bin netcdf-bin hdf5-tools samtools bcftools rrdtool graphicsmagick xmlstarlet jo fakeroot rpm",
  "awscli gh hcloud-cli s3cmd certbot packer duplicity lftp aria2 mosquitto-clients ldap-utils snmp socat nmap iperf3",
  "wireguard-tools whois tshark xorriso lrzip cabextract unar dar",
];

const NPM = [
  "typescript@5 tsx esbuild webpack webpack-cli rollup vite@6 vitest@3 jest@29 mocha@10 ava@6 jasmine uvu pnpm@9 yarn@1 bun",
  "eslint@9 @biomejs/biome prettier stylelint markdownlint-cli jshint standard ajv-cli axios zod",
  "@modelcontextprotocol/server-filesystem @modelcontextprotocol/server-memory",
  "@modelcontextprotocol/server-everything @modelcontextprotocol/server-github @modelcontextprotocol/server-gitlab",
  "@modelcontextprotocol/server-slack @modelcontextprotocol/server-brave-search",
  "@modelcontextprotocol/server-google-maps @modelcontextprotocol/server-postgres",
  "@modelcontextprotocol/server-sequential-thinking",
];

const PYTHON = ["ruff"];

const { values } = parseArgs({ options: { cache: { type: "string" } } });
const cache = resolve(values.cache ?? join(tmpdir(), "lab-cache"));

function run(program: string, args: readonly string[], cwd = cache): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { cwd, env, stdio: ["ignore", "ignore", "ignore"] }).status === 0;
}

const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(" "));

// The commands run as nobody and must reach the folder.
for (const folder of [cache, join(cache, "npm"), join(cache, "bin"), join(cache, "go-build")])
  mkdirSync(folder, { recursive: true });
chmodSync(cache, 0o755);
chmodSync(join(cache, "go-build"), 0o777);

if (process.getuid?.() === 0) {
  run("apt-get", ["update"]);
  const install = ["-o", "DPkg::Lock::Timeout=600", "install", "-y", "--no-install-recommends"];
  for (const name of words(DEBIAN)) if (!run("apt-get", [...install, name])) console.log(`not installed: ${name}`);
} else console.log("Not root: Debian packages are not installed.");

writeFileSync(join(cache, "npm/package.json"), JSON.stringify({ name: "lab-cache", private: true }));
if (!run("npm", ["install", "--no-audit", "--no-fund", ...words(NPM)], join(cache, "npm")))
  console.log("not installed: npm packages");
for (const name of PYTHON) {
  const isInstalled = run("/usr/bin/pip3", ["install", "--upgrade", "--target", join(cache, "py"), name]);
  if (!isInstalled) console.log(`not installed: ${name}`);
  else if (!run("test", ["-e", join(cache, "bin", name)]))
    symlinkSync(join(cache, "py/bin", name), join(cache, "bin", name));
}
