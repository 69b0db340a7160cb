// Programs of operations: configuration checks, keys and certificates, backups, images, disks, playbooks.
import { bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const L = { localized: true } as const;
const ARGS: Category = "invalid_arguments";
const BUILD: Category = "build_failure";

/** A file that the program checks; its content is wrong. */
const conf = (name: string, text: string) => ({ files: { [name]: text } });
const NGINX = (inner: string) =>
  conf("@stem@.conf", `pid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n  access_log off;\n${inner}\n}\n`);
const nginx = 'nginx -t -p "$PWD" -c @stem@.conf';
const HAPROXY = (text: string) => conf("@stem@.cfg", `defaults\n  mode http\n  timeout connect 1s\n${text}`);
const play = (tasks: string) =>
  conf("@stem@.yml", `- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n${tasks}`);
const ansible = "ansible-playbook @stem@.yml";
const SELF_SIGNED =
  "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=@host@ 2>/dev/null";
const GPG_KEY = "gpg --batch --quiet --passphrase '' --quick-gen-key dev@example.com default default never";

export const OPERATIONS: Family = {
  name: "operations",
  cases: [
    bad("nginx", "unknown-directive", nginx, "error", "@id@", {
      ...NGINX("  @id@ on;"),
      also: [ARGS, BUILD],
    }),
    bad("nginx", "unclosed-block", nginx, "error", "@stem@.conf", {
      ...NGINX("  server {\n    listen 8080;"),
      also: [ARGS, BUILD],
    }),
    bad("nginx", "missing-file", 'nginx -t -p "$PWD" -c @missing@', "not_found", "@missing@"),
    bad("nginx", "missing-certificate", nginx, "not_found", "@missing@.pem", {
      ...NGINX(
        "  server {\n    listen 8443 ssl;\n    ssl_certificate @missing@.pem;\n    ssl_certificate_key k.pem;\n  }",
      ),
      also: ["error"],
    }),
    bad("nginx", "unknown-upstream", nginx, "network", "@host@", {
      ...NGINX("  server {\n    listen 8080;\n    location / { proxy_pass http://@host@; }\n  }"),
      also: ["not_found", "error"],
    }),
    bad("nginx", "bad-option", "nginx -@stem@", ARGS, "invalid option"),
    fine("nginx", "valid", nginx, NGINX("  server {\n    listen 8080;\n    error_page 500 /error.html;\n  }")),
    bad("haproxy", "unknown-keyword", "haproxy -c -f @stem@.cfg", "error", "@id@", {
      ...HAPROXY("  @id@ 3\n"),
      also: [ARGS, "not_found"],
    }),
    bad("haproxy", "missing-backend", "haproxy -c -f @stem@.cfg", "error", "@other@", {
      ...HAPROXY("frontend web\n  bind :8080\n  default_backend @other@\n"),
      also: ["not_found", ARGS],
    }),
    bad("haproxy", "missing-file", "haproxy -c -f @missing@", "not_found", "@missing@"),
    fine("haproxy", "valid", "haproxy -c -f @stem@.cfg", {
      ...HAPROXY(
        "  timeout client 1s\n  timeout server 1s\nfrontend web\n  bind :8080\n  default_backend b\nbackend b\n  server s 127.0.0.1:9\n",
      ),
    }),
    bad("apache2", "unknown-directive", 'apache2 -t -d "$PWD" -f @stem@.conf', "error", "@type@Mode", {
      ...conf("@stem@.conf", "ServerName @host@\n@type@Mode on\n"),
      also: [ARGS],
    }),
    bad("apache2", "missing-file", 'apache2 -t -d "$PWD" -f @missing@', "not_found", "@missing@"),
    bad("nft", "syntax", "nft -c -f @stem@.nft", "error", "@id@", {
      ...conf("@stem@.nft", "table inet @stem@ {\n  chain c { @id@ accept; }\n}\n"),
      also: [ARGS, "permission_denied"],
    }),
    bad("redis-server", "bad-directive", "redis-server @stem@.conf", "error", "@stem@_size", {
      ...conf("@stem@.conf", "port 0\n@stem@_size 3\n"),
      also: [ARGS],
    }),
    bad("redis-server", "missing-file", "redis-server @missing@", "not_found", "@missing@"),
    bad("systemd-analyze", "verify-missing-exec", "systemd-analyze verify ./@stem@.service", "not_found", "@other@d", {
      ...conf("@stem@.service", "[Service]\nExecStart=/usr/bin/@other@d --run\n"),
      also: ["error"],
    }),
    bad("systemd-analyze", "calendar", "systemd-analyze calendar '@stem@ 25:00'", ARGS, "@stem@ 25:00", {
      also: ["error"],
    }),
    fine("systemd-analyze", "calendar", "systemd-analyze calendar --iterations=2 'Mon *-*-* 04:00'"),
    fine("systemd-analyze", "timespan", "systemd-analyze timespan 90min"),

    bad("openssl", "expired", "openssl x509 -in cert.pem -noout -checkend 999999", "error", "Certificate will expire", {
      setup: SELF_SIGNED,
      also: ["exit_code", "precondition"],
      seeds: 1,
    }),
    bad("openssl", "verify-self-signed", "openssl verify cert.pem", "error", "self-signed certificate", {
      setup: SELF_SIGNED,
      also: ["auth", "network"],
      seeds: 1,
    }),
    bad("openssl", "wrong-password", "openssl enc -d -aes-256-cbc -pbkdf2 -k no -in a.enc", "error", "bad decrypt", {
      setup: "echo @msg@ | openssl enc -aes-256-cbc -pbkdf2 -k yes -out a.enc",
      also: ["auth"],
    }),
    bad("openssl", "unknown-cipher", "openssl enc -@stem@-256 -in a", ARGS, "@stem@-256", { also: ["not_found"] }),
    bad("openssl", "unknown-command", "openssl @stem@ -in a", ARGS, "@stem@", { also: ["not_found"] }),
    bad("openssl", "not-a-key", "openssl pkey -in @file@ -noout", "error", "@file@", {
      ...conf("@file@", "not a key\n"),
      also: [ARGS],
    }),
    fine("openssl", "valid", "openssl verify -CAfile cert.pem cert.pem", { setup: SELF_SIGNED, seeds: 2 }),
    fine("openssl", "errstr", "openssl errstr 2006D080"),
    bad("gpg", "no-data", "gpg --batch --decrypt @file@", "error", "no valid OpenPGP data", {
      ...conf("@file@", "plain text\n"),
      also: [ARGS],
    }),
    bad("gpg", "missing-signature", "gpg --batch --verify @missing@.sig", "not_found", "@missing@.sig", L),
    bad("gpg", "unknown-secret", "gpg --batch --sign -u @user@@example.com a.txt", "not_found", "@user@", {
      ...conf("a.txt", "x\n"),
      also: ["error", "auth"],
      ...L,
    }),
    bad("gpg", "bad-signature", "gpg --batch --verify a.sig a.txt", "error", "BAD signature", {
      ...conf("a.txt", "@msg@\n"),
      setup: `${GPG_KEY}; gpg --batch --detach-sign -o a.sig a.txt; echo more >> a.txt`,
      seeds: 1,
      also: ["auth"],
    }),
    bad("gpg", "bad-option", "gpg --@stem@-all", ARGS, "--@stem@-all", L),
    fine("gpg", "empty-ring", "gpg --batch --list-keys", L),
    bad("ssh-keygen", "not-a-key", "ssh-keygen -lf @stem@.pub", "error", "@stem@.pub", {
      ...conf("@stem@.pub", "hello\n"),
      also: [ARGS],
    }),
    bad("ssh-keygen", "bad-type", "ssh-keygen -q -t @stem@ -N '' -f k", ARGS, "@stem@", { also: ["error"] }),
    bad("ssh-keygen", "loose-mode", "ssh-keygen -y -f k", "permission_denied", "too open", {
      setup: "ssh-keygen -q -t ed25519 -N '' -f k; chmod 644 k",
      also: ["precondition", "error"],
    }),
    bad("ssh-keygen", "wrong-passphrase", "ssh-keygen -y -P no -f k", "auth", "incorrect passphrase", {
      setup: "ssh-keygen -q -t ed25519 -N secretword -f k",
      also: ["error", ARGS],
    }),
    bad("ssh", "bad-config", "ssh -F @stem@.conf web1 true", ARGS, "@id@", {
      ...conf("@stem@.conf", "Host *\n  @id@ yes\n"),
      also: ["error"],
    }),
    fine("ssh-keygen", "makes", "ssh-keygen -t ed25519 -N '' -f k | head -n 3"),
    bad("age", "unknown-recipient", "echo hi | age -r @stem@1xyz", ARGS, "@stem@1xyz", { also: ["error"] }),
    bad("age", "missing-identity", "age -d -i @missing@ a.age", "not_found", "@missing@", conf("a.age", "x\n")),
    bad("age", "not-encrypted", "age -d -i k a.age", "error", "age", {
      ...conf("a.age", "plain\n"),
      setup: "age-keygen -o k",
      also: [ARGS],
    }),

    bad("restic", "no-repository", "restic -r @dir@ -p pw snapshots", "not_found", "@dir@", {
      ...conf("pw", "x\n"),
      also: ["precondition", "error"],
    }),
    bad("restic", "wrong-password", "restic -r repo -p other snapshots", "auth", "wrong password", {
      files: { pw: "x\n", other: "y\n" },
      setup: "restic init -q -r repo -p pw",
      seeds: 1,
      also: ["error"],
    }),
    bad("restic", "missing-source", "restic -r repo -p pw backup @missing@", "not_found", "@missing@", {
      ...conf("pw", "x\n"),
      setup: "restic init -q -r repo -p pw",
      seeds: 1,
      also: ["error"],
    }),
    fine("restic", "check", "restic -r repo -p pw check", {
      ...conf("pw", "x\n"),
      setup: "restic init -q -r repo -p pw",
      seeds: 2,
    }),
    bad("borg", "no-repository", "borg list @dir@", "not_found", "@dir@", { also: ["precondition", "error"] }),
    bad("borg", "archive-missing", "borg extract repo::@stem@", "not_found", "@stem@", {
      setup: "borg init -e none repo",
      also: ["error"],
      seeds: 1,
    }),
    bad("borg", "exists", "borg init -e none repo", "precondition", "repo", {
      setup: "borg init -e none repo",
      also: ["error"],
      seeds: 1,
    }),
    bad("rclone", "unknown-remote", "rclone ls @stem@:bucket", "not_found", "@stem@", {
      also: ["error", ARGS, "precondition"],
      seeds: 1,
    }),
    bad("rclone", "missing-source", "rclone copy @missing@ out", "not_found", "directory not found", {
      also: ["error"],
      seeds: 1,
    }),
    bad("rclone", "unknown-command", "rclone cpoy a b", ARGS, "cpoy", { also: ["not_found"], seeds: 1 }),
    bad(
      "skopeo",
      "refused",
      "skopeo inspect --tls-verify=false docker://127.0.0.1:@closed@/@stem@",
      "network",
      "refused",
      {
        seeds: 1,
      },
    ),
    bad("skopeo", "bad-transport", "skopeo inspect @stem@:latest", ARGS, "@stem@", { also: ["error"], seeds: 1 }),
    bad("skopeo", "missing-folder", "skopeo inspect dir:@dir@", "not_found", "@dir@", { also: ["error"], seeds: 1 }),

    bad("ansible-playbook", "task-fails", ansible, "error", "@msg@", {
      ...play("    - name: Check @stem@\n      ansible.builtin.fail:\n        msg: '@msg@'\n"),
      seeds: 1,
    }),
    bad("ansible-playbook", "undefined-variable", ansible, "error", "@id@", {
      ...play("    - name: Show\n      ansible.builtin.debug:\n        msg: '{{ @id@ }}'\n"),
      seeds: 1,
      also: ["not_found", ARGS],
    }),
    bad("ansible-playbook", "command-fails", ansible, "error", "@msg@", {
      ...play("    - name: Deploy\n      ansible.builtin.shell: echo '@msg@' >&2; exit 3\n"),
      seeds: 1,
      also: ["exit_code"],
    }),
    bad("ansible-playbook", "syntax", "ansible-playbook --syntax-check @stem@.yml", "error", "@id@", {
      ...play("    - @id@:\n        x: 1\n"),
      seeds: 1,
      also: [ARGS, "not_found", BUILD],
    }),
    bad("ansible-playbook", "missing", "ansible-playbook @missing@.yml", "not_found", "@missing@.yml", { seeds: 1 }),
    fine("ansible-playbook", "ignored-error", ansible, {
      ...play(
        "    - ansible.builtin.command: test -e @missing@\n      ignore_errors: true\n    - ansible.builtin.debug:\n        msg: continued after the error\n",
      ),
      seeds: 2,
    }),
    fine("ansible-playbook", "fine", ansible, {
      ...play("    - ansible.builtin.debug:\n        msg: no errors\n"),
      seeds: 1,
    }),

    bad("mke2fs", "missing-device", "mke2fs -q @missing@", "not_found", "@missing@", { ...L, also: ["error", ARGS] }),
    bad("e2fsck", "not-ext", "e2fsck -n @stem@.img", "error", "@stem@.img", {
      setup: "truncate -s 2M @stem@.img",
      ...L,
      also: [ARGS],
    }),
    fine("e2fsck", "clean", "e2fsck -fn @stem@.img", {
      setup: "truncate -s 4M @stem@.img; mke2fs -q @stem@.img",
      ...L,
    }),
    bad("tune2fs", "not-ext", "tune2fs -l @stem@.img", "error", "@stem@.img", {
      setup: "truncate -s 2M @stem@.img",
      ...L,
      also: [ARGS],
    }),
    bad("parted", "no-label", "parted -s @stem@.img print", "error", "@stem@.img", {
      setup: "truncate -s 4M @stem@.img",
      ...L,
      also: ["precondition", "not_found"],
    }),
    bad("parted", "missing", "parted -s @missing@.img print", "not_found", "@missing@.img", L),
    bad("cryptsetup", "not-luks", "cryptsetup luksDump @stem@.img", "error", "@stem@.img", {
      setup: "truncate -s 4M @stem@.img",
      ...L,
      also: [ARGS],
    }),
    bad("mkfs.fat", "missing", "mkfs.fat @missing@", "not_found", "@missing@"),
    bad("fdisk", "missing", "fdisk -l @missing@.img", "not_found", "@missing@.img", L),
    bad("losetup", "missing", "losetup -f @missing@.img", "not_found", "@missing@.img", {
      ...L,
      also: ["permission_denied", "error"],
    }),

    bad("meson", "syntax", "meson setup b", BUILD, "meson.build:2", {
      ...conf("meson.build", "project('@stem@')\nmessage('x'\n"),
      also: ["error"],
      seeds: 1,
    }),
    bad("meson", "missing-dependency", "meson setup b", "not_found", "@stem@kit", {
      ...conf("meson.build", "project('@stem@', 'c')\ndependency('@stem@kit')\n"),
      also: [BUILD, "precondition", "error"],
      seeds: 1,
    }),
    bad("meson", "unknown-option", "meson setup b -D@id@=1", ARGS, "@id@", {
      ...conf("meson.build", "project('@stem@')\n"),
      also: ["not_found", BUILD, "error"],
      seeds: 1,
    }),
    fine("meson", "configures", "meson setup b", {
      ...conf("meson.build", "project('@stem@')\nwarning('errors are only logged')\n"),
      seeds: 2,
    }),
    bad("scons", "missing-file", "scons", "not_found", "SConstruct", { also: [BUILD, "error"], seeds: 1 }),
    bad("scons", "missing-source", "scons", "not_found", "@stem@.c", {
      ...conf("SConstruct", "Program('app', '@stem@.c')\n"),
      also: [BUILD, "error"],
      seeds: 1,
    }),
    bad("scons", "compile-error", "scons", BUILD, "@id@", {
      files: { SConstruct: "Program('app', 'a.c')\n", "a.c": "int main(void) { return @id@; }\n" },
      also: ["error"],
      seeds: 1,
      signs: ["scons: building terminated"],
    }),
    fine("scons", "up-to-date", "scons", { ...conf("SConstruct", "Command('o', [], 'touch $TARGET')\n"), seeds: 1 }),
    bad("bison", "undefined-symbol", "bison @stem@.y", BUILD, "@id@", {
      ...conf("@stem@.y", "%token A\n%%\ns: A @id@;\n"),
      ...L,
      also: ["error", "not_found"],
    }),
    bad("flex", "syntax", "flex @stem@.l", BUILD, "@stem@.l", {
      ...conf("@stem@.l", "%%\n[a-z { return 1; }\n"),
      also: ["error"],
    }),
    bad("protoc", "missing-import", "protoc --descriptor_set_out=o a.proto", "not_found", "@stem@.proto", {
      ...conf("a.proto", 'syntax = "proto3";\nimport "@stem@.proto";\n'),
      also: [BUILD, "error"],
    }),
    bad("protoc", "undefined-type", "protoc --descriptor_set_out=o a.proto", BUILD, "@type@Ref", {
      ...conf("a.proto", 'syntax = "proto3";\nmessage M { @type@Ref r = 1; }\n'),
      also: ["error", "not_found"],
    }),
    bad("protoc", "syntax", "protoc --descriptor_set_out=o @stem@.proto", BUILD, "@stem@.proto:2", {
      ...conf("@stem@.proto", 'syntax = "proto3";\nmessage M { int32 x 1; }\n'),
      also: ["error"],
    }),
  ],
};
