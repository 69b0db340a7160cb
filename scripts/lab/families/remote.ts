// Programs that reach for other machines, without a network: cloud clients, transfers, probes; and archives, packages.
import { bad, fine } from "../builders.ts";
import type { Category, Family } from "../types.ts";

const ARGS: Category = "invalid_arguments";
const FAKE_KEYS =
  "AWS_ACCESS_KEY_ID=AKIAX AWS_SECRET_ACCESS_KEY=x AWS_DEFAULT_REGION=eu-west-1 AWS_EC2_METADATA_DISABLED=true AWS_MAX_ATTEMPTS=1";

const file = (name: string, text: string) => ({ files: { [name]: text } });

export const REMOTE: Family = {
  name: "remote",
  cases: [
    bad(
      "aws",
      "no-credentials",
      "AWS_EC2_METADATA_DISABLED=true aws s3 ls s3://@stem@ --region eu-west-1",
      "auth",
      "credentials",
      {
        seeds: 1,
      },
    ),
    bad(
      "aws",
      "no-region",
      `env -u AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID=AKIAX AWS_SECRET_ACCESS_KEY=x AWS_EC2_METADATA_DISABLED=true aws ec2 describe-instances`,
      ARGS,
      "region",
      {
        seeds: 1,
        also: ["precondition", "error", "not_found"],
      },
    ),
    bad(
      "aws",
      "refused",
      `${FAKE_KEYS} aws --endpoint-url http://127.0.0.1:@closed@ s3 ls`,
      "network",
      "127.0.0.1:@closed@",
      {
        seeds: 1,
      },
    ),
    bad("aws", "unknown-service", "aws @stem@ list", ARGS, "Invalid choice", { seeds: 1 }),
    bad("aws", "missing-profile", "aws --profile @stem@ sts get-caller-identity", "not_found", "@stem@", {
      seeds: 1,
      also: ["auth", "error"],
    }),
    bad("aws", "missing-option", "aws ec2 terminate-instances --region eu-west-1", ARGS, "--instance-ids", {
      seeds: 1,
    }),
    fine(
      "aws",
      "configure",
      "aws configure set region eu-west-@n@ --profile @stem@; aws configure get region --profile @stem@",
      {
        seeds: 1,
      },
    ),
    bad("gh", "not-logged-in", "gh pr list --repo @user@/@stem@", "auth", "gh auth login", { seeds: 1 }),
    bad("gh", "no-repository", "GH_TOKEN=x gh issue view @n@", "precondition", "not a git repository", {
      seeds: 1,
      also: ["not_found", "error"],
    }),
    bad("gh", "unknown-command", "gh @stem@ list", ARGS, "unknown command", { seeds: 1, also: ["not_found"] }),
    bad("gh", "unknown-flag", "gh pr list --@stem@", ARGS, "unknown flag", { seeds: 1 }),
    bad("gh", "no-network", "GH_TOKEN=x gh api repos/@user@/@stem@", "network", "api.github.com", { seeds: 1 }),
    bad("hcloud", "no-token", "hcloud server list", "auth", "context or token", {
      seeds: 1,
      also: ["precondition", "error", "not_found"],
    }),
    bad("hcloud", "no-network", "HCLOUD_TOKEN=x hcloud server list", "network", "api.hetzner.cloud", {
      seeds: 1,
      also: ["error"],
    }),
    bad("s3cmd", "no-configuration", "s3cmd ls s3://@stem@", "not_found", ".s3cfg", {
      seeds: 1,
      also: ["auth", "precondition", "error"],
    }),
    bad("s3cmd", "bad-command", "s3cmd @stem@ s3://x", ARGS, "@stem@", { seeds: 1, also: ["not_found"] }),
    bad("certbot", "not-allowed", "certbot certificates", "permission_denied", "Permission denied", { seeds: 1 }),
    bad("packer", "missing-template", "packer validate @missing@.json", "not_found", "@missing@.json", {
      also: ["error"],
    }),
    bad("packer", "syntax", "packer validate @stem@.json", "error", "@stem@.json", {
      ...file("@stem@.json", '{"builders": [}\n'),
      also: [ARGS],
    }),
    bad(
      "duplicity",
      "missing-source",
      "PASSPHRASE=x duplicity full @missing@ file:///tmp/@stem@-none",
      "not_found",
      "@missing@",
      {
        seeds: 1,
        also: [ARGS, "error"],
      },
    ),
    bad("duplicity", "bad-address", "PASSPHRASE=x duplicity full . @stem@://x/y", ARGS, "@stem@", {
      seeds: 1,
      also: ["error", "not_found"],
    }),

    bad(
      "lftp",
      "refused",
      "lftp -c 'set net:max-retries 1; set net:timeout 2; open ftp://127.0.0.1:@closed@; ls'",
      "network",
      "refused",
      {
        also: ["error"],
      },
    ),
    bad("lftp", "missing-file", "lftp -f @missing@", "not_found", "@missing@"),
    bad("lftp", "unknown-command", "lftp -c '@stem@ x'", ARGS, "@stem@", { also: ["not_found"] }),
    bad("aria2c", "refused", "aria2c --max-tries=1 http://127.0.0.1:@closed@/@file@", "network", "@file@", {
      also: ["error"],
      signs: ["refused", "errorCode"],
    }),
    bad("aria2c", "bad-option", "aria2c --@stem@=1 http://x", ARGS, "--@stem@"),
    bad("aria2c", "bad-value", "aria2c --split=@stem@ http://x", ARGS, "@stem@"),
    bad("aria2c", "no-address", "aria2c", ARGS, "URI", { seeds: 1 }),
    bad("mosquitto_pub", "refused", "mosquitto_pub -h 127.0.0.1 -p @closed@ -t @stem@ -m x", "network", "refused"),
    bad("mosquitto_pub", "no-topic", "mosquitto_pub -h 127.0.0.1 -m x", ARGS, "topic", { seeds: 1 }),
    bad("mosquitto_sub", "unknown-host", "mosquitto_sub -h @host@ -t x -W 2", "network", "@host@", {
      also: ["not_found", "error"],
      signs: ["Lookup error", "resolution"],
    }),
    bad(
      "ldapsearch",
      "refused",
      "ldapsearch -x -H ldap://127.0.0.1:@closed@ -b dc=@stem@",
      "network",
      "contact LDAP server",
      {
        also: ["error"],
      },
    ),
    bad("ldapsearch", "bad-option", "ldapsearch --@stem@", ARGS, "option", { also: ["error"] }),
    bad(
      "snmpget",
      "no-answer",
      "snmpget -v2c -c public -t 1 -r 0 127.0.0.1:@closed@ .1.3.6.1.2.1.1.1.0",
      "timeout",
      "No Response",
      {
        also: ["network", "error"],
      },
    ),
    bad("snmpget", "bad-oid", "snmpget -v2c -c public 127.0.0.1 @type@", "error", "@type@", {
      also: [ARGS, "not_found"],
    }),
    bad("socat", "refused", "echo x | socat - TCP:127.0.0.1:@closed@", "network", "refused"),
    bad("socat", "missing-file", "socat - OPEN:@missing@", "not_found", "@missing@"),
    bad("socat", "bad-address", "socat - @type@:1", ARGS, "@type@", { also: ["error"] }),
    bad("nmap", "bad-option", "nmap --@stem@ 127.0.0.1", ARGS, "@stem@"),
    bad("nmap", "no-target-file", "nmap -iL @missing@", "not_found", "@missing@"),
    fine("nmap", "closed", "nmap -sT -Pn -p @closed@ 127.0.0.1", { seeds: 1 }),
    bad("iperf3", "refused", "iperf3 -c 127.0.0.1 -p @closed@", "network", "refused"),
    bad("iperf3", "no-mode", "iperf3", ARGS, "must either be", { seeds: 1 }),
    bad("wg", "missing-interface", "wg show @stem@0", "not_found", "@stem@0", {
      also: ["permission_denied", "error"],
      signs: ["Operation not permitted", "No such device"],
    }),
    bad("wg", "bad-key", "echo @stem@ | wg pubkey", ARGS, "key", { also: ["error"] }),
    fine("wg", "makes-key", "wg genkey | wg pubkey | wc -c", { seeds: 1 }),
    bad("whois", "unknown-host", "whois -h @host@ example.org", "network", "@host@", {
      also: ["not_found", "error"],
      signs: ["Name or service not known", "resolution"],
    }),
    bad("tshark", "missing-file", "tshark -r @missing@", "not_found", "@missing@"),
    bad("tshark", "not-capture", "tshark -r @file@", "error", "@file@", {
      ...file("@file@", "@msg@\n@msg2@\n"),
      also: [ARGS],
    }),
    bad("tshark", "bad-filter", "tshark -r a.pcap -Y '@id@ ==== 1'", ARGS, "@id@", {
      setup:
        "printf '\\324\\303\\262\\241\\002\\000\\004\\000\\000\\000\\000\\000\\000\\000\\000\\000\\377\\377\\000\\000\\001\\000\\000\\000' > a.pcap",
      also: ["error", "not_found"],
      signs: ["syntax error", "unexpected"],
    }),
    bad("pg_dump", "refused", "pg_dump -h 127.0.0.1 -p @closed@ @stem@", "network", "refused"),
    bad("pg_restore", "not-archive", "pg_restore -l @file@", "error", "valid archive", {
      ...file("@file@", "@msg@ and some more text that is long enough\n"),
      also: [ARGS],
    }),
    bad("pg_restore", "missing-file", "pg_restore -l @missing@", "not_found", "@missing@"),
    bad("mariadb-dump", "refused", "mariadb-dump -h 127.0.0.1 -P @closed@ @stem@", "network", "127.0.0.1", {
      also: ["error"],
    }),
    bad("sftp", "refused", "sftp -P @closed@ -b /dev/null 127.0.0.1", "network", "refused", {
      signs: ["Connection closed"],
    }),

    bad("xorriso", "missing-source", "xorriso -as mkisofs -o a.iso @missing@", "not_found", "@missing@", {
      also: ["error"],
    }),
    bad("xorriso", "not-image", "xorriso -indev @file@ -toc", "error", "@file@", {
      ...file("@file@", "@msg@\n"),
      exit: "any",
      also: [ARGS],
    }),
    fine("xorriso", "writes", "xorriso -as mkisofs -o a.iso @dir@", {
      files: { "@dir@/@file@": "@msg@\n" },
      seeds: 2,
    }),
    bad("lrzip", "missing-file", "lrzip @missing@", "not_found", "@missing@"),
    bad("lrzip", "not-archive", "lrzip -d @stem@.lrz", "error", "@stem@.lrz", {
      ...file("@stem@.lrz", "@msg@ @msg2@ @msg@\n"),
      also: [ARGS],
      signs: ["Not an lrzip file"],
    }),
    bad("cabextract", "not-cabinet", "cabextract @stem@.cab", "error", "@stem@.cab", {
      ...file("@stem@.cab", "@msg@\n"),
      also: [ARGS],
    }),
    bad("cabextract", "missing-file", "cabextract @missing@.cab", "not_found", "@missing@.cab"),
    bad("unar", "not-archive", "unar @file@", "error", "@file@", {
      ...file("@file@", "@msg@\n"),
      also: [ARGS],
      signs: ["recognize"],
    }),
    bad("unar", "missing-file", "unar @missing@.rar", "not_found", "@missing@.rar", { also: ["error"] }),
    fine("lsar", "lists", "zip -q @stem@.zip @file@; lsar @stem@.zip", {
      ...file("@file@", "@msg@\n"),
      needs: ["lsar", "zip"],
    }),
    bad("dar", "missing-archive", "dar -Q -l @stem@", "not_found", "@stem@", {
      also: ["error"],
    }),
    bad("dar", "missing-root", "dar -Q -c @stem@ -R @dir@", "not_found", "@dir@", { also: ["error"] }),
    fine("dar", "creates", "dar -Q -c ../@stem@ -R .", { ...file("@file@", "@msg@\n"), seeds: 1 }),
    bad("rpm", "missing-file", "rpm -qpi @missing@.rpm", "not_found", "@missing@.rpm"),
    bad("rpm", "not-package", "rpm -qpi @stem@.rpm", "error", "@stem@.rpm", {
      ...file("@stem@.rpm", "@msg@\n"),
      also: [ARGS],
    }),
    bad("rpm", "not-installed", "rpm -q @pkg@", "not_found", "@pkg@"),
    bad("rpmbuild", "missing-spec", "rpmbuild -ba @stem@.spec", "not_found", "@stem@.spec", { also: ["error"] }),
    bad("dpkg-deb", "not-archive", "dpkg-deb -I @stem@.deb", "error", "@stem@.deb", {
      ...file("@stem@.deb", "@msg@\n"),
      localized: true,
      also: [ARGS],
    }),
    bad("dpkg-deb", "no-control", "dpkg-deb -b @dir@", "not_found", "DEBIAN/control", {
      files: { "@dir@/a": "x\n" },
      localized: true,
      also: ["error"],
    }),
    bad("gm", "missing-file", "gm convert @missing@.png a.jpg", "not_found", "@missing@.png"),
    bad("gm", "not-image", "gm convert @stem@.png a.jpg", "error", "@stem@.png", {
      ...file("@stem@.png", "@msg@\n"),
      also: [ARGS],
    }),
    bad("xmlstarlet", "malformed", "xmlstarlet val -e @stem@.xml", "error", "@stem@.xml", {
      ...file("@stem@.xml", "<a><b></a>\n"),
      also: [ARGS, "test_failure", "build_failure"],
    }),
    bad("xmlstarlet", "bad-path", "xmlstarlet sel -t -v '//@stem@[' @stem@.xml", ARGS, "@stem@", {
      ...file("@stem@.xml", "<a/>\n"),
      also: ["error"],
    }),
    fine(
      "xmlstarlet",
      "selects",
      "xmlstarlet sel -t -v '//error' @stem@.xml",
      file("@stem@.xml", "<a><error>@msg@</error></a>\n"),
    ),
    bad("jo", "bad-pair", "jo @stem@", ARGS, "@stem@", { also: ["error"] }),
    fine("jo", "prints", "jo error=null status=@stem@ count=@n@"),
    bad("fakeroot", "missing-program", "fakeroot @stem@ctl --version", "not_found", "@stem@ctl"),
    bad("openssl", "refused", "openssl s_client -connect 127.0.0.1:@closed@ </dev/null", "network", "refused", {
      signs: ["errno=111"],
    }),
    bad("traceroute", "unknown-host", "tracepath @host@", "network", "@host@", {
      needs: ["tracepath"],
      also: ["not_found", "error"],
      signs: ["resolution", "not known"],
    }),
  ],
};
