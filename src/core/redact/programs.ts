/** Which arguments of a program are secrets. Options include their dashes. */
export interface ProgramRule {
  /** The next word, or the remainder of the same word: `-p SECRET`, `-pSECRET`. */
  readonly either?: readonly string[];
  /** Only the next word: `-P SECRET`. */
  readonly next?: readonly string[];
  /** Only in the same word: `-pSECRET`. A lone `-p` prompts for the password. */
  readonly joined?: readonly string[];
  /** A user and a password in one argument, by option, with the separator between them: `-u user:SECRET`. */
  readonly pair?: Readonly<Record<string, string>>;
  /** The rules apply only after one of these words: `docker login -p`, but not `docker run -p 8080:80`. */
  readonly onlyAfter?: readonly string[];
  /**
   * The n-th word after one of these words (1 is the next one), without options: `rabbitmqctl add_user USER SECRET`.
   */
  readonly after?: { readonly words: readonly string[]; readonly nth: number; readonly skip?: RegExp };
  /**
   * The n-th word of the command, without options. `ifOption`: only if this option is present. `separator`: the part
   * after it.
   */
  readonly positional?: { readonly nth: number; readonly ifOption?: RegExp; readonly separator?: string };
  /** Reads a secret from standard input. `ifWord`: only if a word matches. */
  readonly stdin?: true | { readonly ifWord: RegExp };
}

const words = (text: string): readonly string[] => text.split(" ");

const PASSWORD_P: ProgramRule = { next: ["-p"] };
const PASSWORD_CAPITAL_P: ProgramRule = { either: ["-P"] };
const MYSQL: ProgramRule = { joined: ["-p"] };
const MONGO: ProgramRule = { either: ["-p"] };
const LOGIN: ProgramRule = {
  next: ["-p"],
  onlyAfter: ["login"],
  stdin: { ifWord: /^(?:login|secret|--password-stdin)$/ },
};
const LDAP: ProgramRule = { either: ["-w"], next: ["-s", "-a"] };
const SNMP: ProgramRule = { next: ["-c", "-A", "-X"] };
const ARCHIVE: ProgramRule = { joined: ["-p", "-hp"] };
const SMB: ProgramRule = { pair: { "-U": "%", "--user": "%" }, next: ["-p"] };
const ORACLE: ProgramRule = { positional: { nth: 1, separator: "/" } };
const FIRST_INPUT: ProgramRule = { stdin: true };

const RULES: readonly (readonly [programs: string, rule: ProgramRule])[] = [
  ["sshpass", { either: ["-p"] }],
  [
    "mysql mysqldump mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mariadb mariadb-dump mariadb-admin mycli",
    MYSQL,
  ],
  ["mysqladmin", { ...MYSQL, after: { words: ["password"], nth: 1 } }],
  ["mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop", MONGO],
  ["redis-cli valkey-cli keydb-cli", { either: ["-a"], after: { words: words("AUTH auth Auth"), nth: 1 } }],
  ["curl", { pair: { "-u": ":", "--user": ":", "-U": ":", "--proxy-user": ":", "-b": "=", "--cookie": "=" } }],
  [
    "http https xh xhs httpie wget aria2c etcdctl transmission-remote",
    { pair: { "-a": ":", "--auth": ":", "--user": ":", "-n": ":" } },
  ],
  [
    "docker podman nerdctl buildah oras helm oc skopeo crane regctl",
    { ...LOGIN, pair: { "--creds": ":", "--src-creds": ":", "--dest-creds": ":" } },
  ],
  [
    "twine cqlsh rabbitmqadmin ncftpput ncftpget ncftp psexec beeline yt-dlp youtube-dl evil-winrm crackmapexec nxc netexec smbmap mosquitto_passwd swaks hydra",
    PASSWORD_P,
  ],
  [
    "sqlcmd bcp osql tsql isql ipmitool mosquitto_pub mosquitto_sub mosquitto_rr zip unzip zipcloak p4 yubico-piv-tool",
    PASSWORD_CAPITAL_P,
  ],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare", LDAP],
  ["snmpwalk snmpget snmpset snmpbulkwalk snmptable snmpgetnext snmptrap", SNMP],
  ["7z 7za 7zr 7zz rar unrar", ARCHIVE],
  ["smbclient rpcclient smbget smbcacls nmblookup", SMB],
  ["lftp", { pair: { "-u": "," } }],
  ["ssh-keygen", { next: ["-N", "-P"] }],
  ["openssl", { next: ["-k", "-K"], after: { words: ["passwd"], nth: 1 }, stdin: { ifWord: /^stdin$/ } }],
  ["pscp plink psftp putty", { next: ["-pw"] }],
  ["useradd usermod", PASSWORD_P],
  ["htpasswd", { positional: { nth: -1, ifOption: /^-[a-zA-Z0-9]*b/ }, stdin: { ifWord: /^-[a-z]*i/ } }],
  ["wpa_passphrase", { positional: { nth: 2 } }],
  ["rabbitmqctl", { after: { words: words("add_user change_password authenticate_user"), nth: 2 } }],
  ["vault", { after: { words: words("login unseal"), nth: 1 }, stdin: { ifWord: /^login$/ } }],
  ["rclone", { after: { words: ["obscure"], nth: 1 } }],
  ["bw lpass", { after: { words: ["unlock"], nth: 1 } }],
  ["mc", { after: { words: ["set"], nth: 4 } }],
  ["net net1", { after: { words: words("user use USER USE"), nth: 2, skip: /^(?:[A-Za-z]:$|\*$|\\)/ } }],
  ["xfreerdp wfreerdp xfreerdp3 cmdkey", { joined: ["/p:", "/pass:"] }],
  ["rdesktop", PASSWORD_P],
  ["sqlplus sqlldr expdp impdp", ORACLE],
  ["security", { next: ["-w", "-p", "-P"] }],
  [
    "gh glab",
    { next: ["--body", "-b"], onlyAfter: ["secret"], stdin: { ifWord: /^(?:--with-token|--stdin|secret)$/ } },
  ],
  ["doctl influx", { next: ["-t"] }],
  ["x11vnc", { next: ["-passwd"] }],
  ["az", { next: ["-p", "--value"], onlyAfter: ["login", "secret"] }],
  ["aws", { next: ["--value", "--secret-string"], onlyAfter: ["SecureString", "secretsmanager"] }],
  ["composer", { positional: { nth: -1, ifOption: /^http-basic\./ } }],
  ["schtasks", { next: ["/rp", "/p"] }],
  ["snmp-server", { after: { words: ["community"], nth: 1 } }],
  ["cargo", { after: { words: ["login"], nth: 1 } }],
  ["signtool", { next: ["/p"] }],
  ["sudo doas", { stdin: { ifWord: /^(?:-[A-Za-z]*S[A-Za-z]*|--stdin)$/ } }],
  ["chpasswd kinit cryptsetup smbpasswd secret-tool ssh-add", FIRST_INPUT],
  [
    "passwd su pass gpg gpg2 restic borg age wrangler vercel fly flyctl heroku gcloud kubectl npm yarn pnpm pulumi ansible-vault",
    {
      stdin: {
        ifWord:
          /^(?:--stdin|-|insert|--passphrase-fd|--password-stdin|secrets?|--data-file=-|encrypt_string|env|config)$/,
      },
    },
  ],
  ["echo printf", {}],
];

/** Names of programs that are also arguments of others: they start a command only after one of {@link WRAPPERS}. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  words("passwd pass su net net1 security age http https mc echo npm yarn heroku fly zip"),
);

/** Programs that run another one. */
export const WRAPPERS: ReadonlySet<string> = new Set(words("sudo doas"));

export const PROGRAMS: ReadonlyMap<string, ProgramRule> = new Map(
  RULES.flatMap(([programs, rule]) => programs.split(" ").map((program): [string, ProgramRule] => [program, rule])),
);
