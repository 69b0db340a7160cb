import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

const REDACTED: Readonly<Record<string, readonly (readonly [text: string, redacted: string])[]>> = {
  "the argument of a short option, by program": [
    ["sshpass -p hunter2 ssh root@db uptime", "sshpass -p [secret] ssh root@db uptime"],
    ["sshpass -phunter2 ssh root@db", "sshpass -p[secret] ssh root@db"],
    ["/usr/bin/mysql -u root -phunter2 shop -e 'select 1'", "/usr/bin/mysql -u root -p[secret] shop -e 'select 1'"],
    ["docker exec -it db mysql -uroot -phunter2 shop", "docker exec -it db mysql -uroot -p[secret] shop"],
    ["mongosh -u admin -p hunter2 shop", "mongosh -u admin -p [secret] shop"],
    ["redis-cli -a hunter2 ping", "redis-cli -a [secret] ping"],
    ["curl -u ann:hunter2 https://example.com", "curl -u ann:[secret] https://example.com"],
    ["curl -uann:hunter2 https://example.com", "curl -uann:[secret] https://example.com"],
    ["curl --user 'ann:hunter2 and more' https://x.org", "curl --user 'ann:[secret]' https://x.org"],
    [
      "docker login -u ann -p hunter2 ghcr.io && docker run -p 8080:80 nginx",
      "docker login -u ann -p [secret] ghcr.io && docker run -p 8080:80 nginx",
    ],
    ["unzip -P hunter2 a.zip", "unzip -P [secret] a.zip"],
    ["7z x -phunter2 a.7z", "7z x -p[secret] a.7z"],
    ["ldapsearch -x -w hunter2 -b dc=x", "ldapsearch -x -w [secret] -b dc=x"],
    ["smbclient //s/x -U ann%hunter2", "smbclient //s/x -U ann%[secret]"],
    ["lftp -u ann,hunter2 sftp://x", "lftp -u ann,[secret] sftp://x"],
    [JSON.stringify({ command: "cd /srv && mysql -phunter2" }), '{"command":"cd /srv && mysql -p[secret]"}'],
  ],
  "a password that is only identified by its position in a command": [
    ["mysqladmin -u root password hunter2", "mysqladmin -u root password [secret]"],
    ["htpasswd -b .htpasswd ann hunter2", "htpasswd -b .htpasswd ann [secret]"],
    ["sqlplus scott/hunter2@//db:1521/X", "sqlplus scott/[secret]@//db:1521/X"],
    ["net user ann hunter2 /add", "net user ann [secret] /add"],
    ["wpa_passphrase Home hunter2x", "wpa_passphrase Home [secret]"],
    ["rabbitmqctl add_user ann hunter2", "rabbitmqctl add_user ann [secret]"],
    ["redis-cli AUTH hunter2", "redis-cli AUTH [secret]"],
  ],
  "a value after pass:": [
    ["openssl rsa -in k.pem -passin pass:hunter2 -out p.pem", "openssl rsa -in k.pem -passin pass:[secret] -out p.pem"],
    ["openssl enc -d -in a -pass pass:letmein", "openssl enc -d -in a -pass [secret]"],
  ],
  "a value piped into a program that reads a password": [
    ["echo hunter2 | docker login -u ann --password-stdin", "echo [secret] | docker login -u ann --password-stdin"],
    ["echo -n 'letmein' | sudo -S id", "echo -n '[secret]' | sudo -S id"],
    ["printf 'letmein' | sudo -S id", "printf '[secret]' | sudo -S id"],
    ["echo ann:letmein | chpasswd", "echo [secret] | chpasswd"],
    ["sudo -S id <<< letmein", "sudo -S id <<< [secret]"],
    ["echo hunter2 | gh auth login --with-token", "echo [secret] | gh auth login --with-token"],
  ],
  "values in files of colon-separated fields": [
    ["db:5432:shop:ann:hunter2", "db:5432:shop:ann:[secret]"],
    ["ann:$apr1$abcdefgh$ABCDEFGHIJKLMNOPQRSTUV", "ann:[key]"],
    ["root:$6$saltsalt$ABCDEFGHIJKLMNOPQRST:19000:0:99999:7:::", "root:[key]:19000:0:99999:7:::"],
    ["ann:Realm:0123456789abcdef0123456789abcdef", "ann:Realm:[secret]"],
  ],
  "block scalars after the name of a secret": [
    ["db:\n  password: |\n    hunter2\n  port: 5432", "db:\n  password: |\n    [secret]\n  port: 5432"],
    ["api_key: >-\n  hunter2hunter2\nport: 1", "api_key: >-\n  [secret]\nport: 1"],
    [
      JSON.stringify({ content: "private_key: |\n  abc\n  def\nname: x" }),
      JSON.stringify({ content: "private_key: |\n  [secret]\nname: x" }),
    ],
  ],
  "values in lists of names and values": [
    [
      "env:\n  - name: DB_PASSWORD\n    value: hunter2\n  - name: PORT\n    value: '80'",
      "env:\n  - name: DB_PASSWORD\n    value: [secret]\n  - name: PORT\n    value: '80'",
    ],
    ['{\n  "name": "DB_PASSWORD",\n  "value": "letmein"\n}', '{\n  "name": "DB_PASSWORD",\n  "value": "[secret]"\n}'],
    ['{"value":"letmein","name":"DB_PASSWORD"}', '{"value":"[secret]","name":"DB_PASSWORD"}'],
    [
      JSON.stringify({ arguments: JSON.stringify([{ name: "DB_PASSWORD", value: "letmein" }]) }),
      JSON.stringify({ arguments: JSON.stringify([{ name: "DB_PASSWORD", value: "[secret]" }]) }),
    ],
    ['variable "db_password" {\n  default = "letmein"\n}', 'variable "db_password" {\n  default = "[secret]"\n}'],
    ['<add key="ApiSecret" value="letmein" />', '<add key="ApiSecret" value="[secret]" />'],
    ["user,password\nann,hunter2\nbob,hunter3x", "user,password\nann,[secret]\nbob,[secret]"],
  ],
  "a password in a netrc file inside JSON": [
    [
      JSON.stringify({ content: "machine x\n  login ann\n  password letmein\n" }),
      JSON.stringify({ content: "machine x\n  login ann\n  password [secret]\n" }),
    ],
  ],
  "values after labels in other languages": [
    ["contraseña: hunter2", "contraseña: [secret]"],
    ["mot de passe : hunter2", "mot de passe : [secret]"],
    ["Passwort: hunter2", "Passwort: [secret]"],
    ["senha=letmein", "senha=[secret]"],
    ["数据库密码：hunter2", "数据库密码：[secret]"],
    ["пароль: hunter2", "пароль: [secret]"],
    ["パスワード: hunter2", "パスワード: [secret]"],
    ["비밀번호: hunter2", "비밀번호: [secret]"],
    ["كلمة المرور: hunter2", "كلمة المرور: [secret]"],
    ["mật khẩu: hunter2", "mật khẩu: [secret]"],
  ],
  "values in prompts and sentences": [
    ["Password: hunter2", "Password: [secret]"],
    ["[sudo] password for ann: hunter2", "[sudo] password for ann: [secret]"],
    ["ann@db's password: hunter2", "ann@db's password: [secret]"],
    ["The password is hunter2 and the port 5432", "The password is [secret] and the port 5432"],
    ["use username ann and password hunter2 to log in", "use username ann and password [secret] to log in"],
    ["API key: abcd1234efgh", "API key: [secret]"],
  ],
  "one-time codes": [
    ["Your verification code is 493817", "Your verification code is [secret]"],
    ["493817 is your one-time passcode", "[secret] is your one-time passcode"],
    ["OTP: 493817", "OTP: [secret]"],
    ["Recovery code: ab12c-de34f", "Recovery code: [secret]"],
  ],
  "values in source code and SQL": [
    ["CREATE USER 'ann' IDENTIFIED BY 'letmein';", "CREATE USER 'ann' IDENTIFIED BY '[secret]';"],
    ["requests.get(url, auth=('ann', 'letmein'))", "requests.get(url, auth=('ann', '[secret]'))"],
    ["define('DB_PASSWORD', 'hunter2');", "define('DB_PASSWORD', '[secret]');"],
    ['config.setPassword("letmein");', 'config.setPassword("[secret]");'],
    ["os.environ['API_KEY'] = 'letmein'", "os.environ['API_KEY'] = '[secret]'"],
    ["<password>\n  letmein\n</password>", "<password>\n  [secret]\n</password>"],
  ],
  "values in other formats": [
    ["aws_secret_access_key = abcdEFGH/ijkl0123+MNOP/qrstUVWX4567yzAB", "aws_secret_access_key = [secret]"],
    ["pass=hunter2 user=ann", "pass=[secret] user=ann"],
    ["sig=hunter2hunter2", "sig=[secret]"],
    ['{"password":"ab\\"cd 12\\" ef","x":1}', '{"password":"[secret]","x":1}'],
    ["\u001b[32mpassword\u001b[0m: hunter2", "\u001b[32mpassword\u001b[0m: [secret]"],
  ],
};

describe.each(Object.entries(REDACTED))("redact removes %s", (_what, cases) => {
  it.each(cases)("redacts %j", (text, redacted) => {
    expect(redact(text)).toBe(redacted);
    expect(redact(redacted)).toBe(redacted);
  });
});

it("redact leaves a text of marks unchanged", () => {
  const text = "[secret] [key] [jwt] [private key] password: [secret] mysql -p[secret] https://a:[secret]@b/";
  expect(redact(text)).toBe(text);
});
