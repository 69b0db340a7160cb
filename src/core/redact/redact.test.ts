import { describe, expect, it } from "vitest";
import { AROUND, makeSecrets, seededRandom } from "../../../test/support/secrets.ts";
import { redact } from "./redact.ts";

const B64 = "c2VjcmV0LWJ5dGVzLW9mLWEta2V5LXRoYXQtbm9ib2R5LW1heS1zZWU";

describe("redact", () => {
  it.each([
    ["an Anthropic key", "key sk-ant-api03-abcDEF123456789_xyz-AA here", "abcDEF123456789"],
    ["an OpenAI key", "sk-proj-abcdefghijklmnop1234567890", "abcdefghijklmnop"],
    ["a Stripe key", "rk_live_51Habcdefghijklmnop", "51Habcdefghijklmnop"],
    ["a GitHub token", "remote: ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F292c6912"],
    ["a fine-grained GitHub token", "github_pat_11ABCDEFG0abcdefghijkl_mnop", "11ABCDEFG0"],
    ["a GitLab token", "glpat-abcdEFGH1234ijkl", "abcdEFGH1234"],
    ["a Slack token", "xoxb-1234567890-abcdefghijkl", "1234567890-abc"],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
    ["a Google key", "AIzaSyA-1234567890abcdefghijklmnopqrstu", "SyA-1234567890"],
    ["a Google access token", "ya29.a0AfH6SMBabcdefghijklmnop", "a0AfH6SMB"],
    ["a SendGrid key", "SG.abcdefghijklmnop.qrstuvwxyz0123456789", "qrstuvwxyz"],
    ["an npm token", "//registry/:_authToken=npm_abcdefghijklmnop123456", "abcdefghijklmnop"],
    ["a PyPI token", "pypi-AgEIcHlwaS5vcmcabcdefgh", "AgEIcHlwaS5"],
    ["a Hugging Face token", "hf_abcdefghijklmnopqrstuvwx", "abcdefghijkl"],
    ["a JWT", "cookie eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sflKxwRJSMeKKF2QT4f", "sflKxwRJSMeKKF"],
    ["a JWT after a dash", "session-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sflKxwRJSM", "eyJzdWIiOiIxMjM0"],
    ["a bearer token", "curl -H 'Authorization: Bearer abcdef.ghijkl-mnop'", "abcdef.ghijkl"],
    ["a basic credential", "authorization: basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNz"],
    ["a password in a URL", "postgres://admin:hunter22@db.internal:5432/x", "hunter22"],
    ["a password in a URL without a user", "redis://:hunter22@cache:6379", "hunter22"],
    ["an assignment", "export DB_PASSWORD=hunter22", "hunter22"],
    ["an assignment with spaces", "password = hunter22", "hunter22"],
    ["YAML", "client_secret: hunter22", "hunter22"],
    ["JSON", '{"api_key":"hunter22","x":1}', "hunter22"],
    ["JSON with a space", '{"accessToken": "hunter22"}', "hunter22"],
    ["JSON with a value of several words", '{"password": "correct horse, battery"}', "horse"],
    ["JSON inside JSON", JSON.stringify({ command: `curl -d '{"password":"hunter22"}'` }), "hunter22"],
    ["a value in single quotes", "PASSPHRASE='correct horse'", "horse"],
    ["a header", "X-Api-Key: hunter22", "hunter22"],
    ["a query", "GET /x?token=hunter22&y=1", "hunter22"],
    ["an AWS secret", `aws_secret_access_key = ${B64}`, B64],
    ["an encryption key", "ENCRYPTION_KEY=hunter22", "hunter22"],
    ["a connection string", "Server=db;Uid=sa;Pwd=hunter22;", "hunter22"],
    ["an option", "mysql --user root --password hunter22 -e 'select 1'", "hunter22"],
    ["an option with an equals sign", "tool --api-key=hunter22 run", "hunter22"],
    ["curl's user", "curl -u admin:hunter22 https://x", "hunter22"],
    ["a PEM block", `-----BEGIN RSA PRIVATE KEY-----\n${B64}\n-----END RSA PRIVATE KEY-----`, B64],
    ["a PEM block on one line", `-----BEGIN PRIVATE KEY-----\\n${B64}\\n-----END PRIVATE KEY-----`, B64],
    ["a PEM block with headers", `-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,AB\n\n${B64}\n-----END`, B64],
    ["a header of another scheme", "Authorization: Token hunter22hunter22", "hunter22"],
    ["a short bearer", "Authorization: Bearer hunter22 and more", "hunter22"],
    [
      "a signed request",
      "Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=c, Signature=hunter22",
      "hunter22",
    ],
    ["a bearer token without a header", "bearer=hunter22hunter22", "hunter22"],
    ["a cookie", "> Cookie: theme=dark; sid=hunter22", "hunter22"],
    ["a cookie in JSON", '{"set-cookie":"sid=hunter22; Path=/"}', "hunter22"],
    ["a header in a list", '["X-Api-Key", "hunter22"]', "hunter22"],
    ["a token as the user of a URL", "https://hunter22hunter22@sentry.example.com/1", "hunter22"],
    ["a password with an at sign", "postgres://admin:p@hunter22@db/x", "hunter22"],
    ["a password with a slash", "postgres://admin:p/hunter22@db/x", "hunter22"],
    ["a key in a query", "GET https://example.com/v1/models?key=hunter22", "hunter22"],
    ["a signed URL", "https://store.example.com/x?se=2026&sig=hunter22%3D", "hunter22"],
    ["a query inside a query", "/login?next=%2Fx%3Ftoken%3Dhunter22", "hunter22"],
    ["JSON in a URL", "/x?q=%7B%22password%22%3A%22hunter22%22%7D", "hunter22"],
    ["a list of keys", '{"api_keys": ["hunter22", "hunter23"]}', "hunter22"],
    ["a secret inside an object", '{"password": {"value": "hunter22"}}', "hunter22"],
    ["a short name", '{"user": "x", "pass": "hunter22"}', "hunter22"],
    ["Docker's credentials", '{"auths": {"x": {"auth": "hunter22"}}}', "hunter22"],
    ["an account key", "AccountName=a;AccountKey=hunter22==;EndpointSuffix=b", "hunter22"],
    ["a name and its value in separate fields", '{"name": "DB_PASSWORD", "value": "hunter22"}', "hunter22"],
    ["XML", "<clientSecret>hunter22</clientSecret>", "hunter22"],
    ["a netrc file", "machine example.com login ann password hunter22", "hunter22"],
    ["an assignment with =>", "password => 'hunter22'", "hunter22"],
    ["an assignment with :=", "password := hunter22", "hunter22"],
    ["a value that starts with a bracket", "password=[hunter22", "hunter22"],
    ["a value with separators in an environment", "DB_PASSWORD=a;b,hunter22", "hunter22"],
    ["a webhook", "https://hooks.slack.com/services/T0/B0/hunter22hunter22", "hunter22"],
    ["a bot token", "bot12345678:AAhunter22_abcdefghijklmnopqrstuv", "hunter22"],
    ["a client secret", "GOCSPX-hunter22-abcdef12345", "hunter22"],
    ["a one-time code", "token: 123456", "123456"],
    ["tokens that are not a count", "auth_tokens: 12345678", "12345678"],
    ["a value after the name of a count", "max_tokens = 4096-hunter22", "hunter22"],
    ["a truncated PEM block", `-----BEGIN OPENSSH PRIVATE KEY-----\n${B64}`, B64],
  ])("removes %s", (_what, text, secret) => {
    expect(text).toContain(secret);
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    "sk-ant-api03-hunter22hunter22",
    "ghp_hunter22hunter22hunter22",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.hunter22",
    "ya29.hunter22hunter22hunter22",
    "bearer hunter22hunter22",
    "DB_PASSWORD=a;hunter22",
  ])("removes %s after a line break in JSON", (secret) => {
    for (const end of ["\n", "\r\n", "\t"])
      expect(redact(JSON.stringify({ command: `first${end}${secret}` }))).not.toContain("hunter22");
  });

  it.each([
    "Error: ENOENT: no such file or directory, open '/srv/app/index.ts'",
    "fatal: repository 'https://github.com/a/b.git' not found",
    "Exit code 1\nexpected 3 but got 4",
    "the task was desk-bound and the risk-averse ask-me",
    "https://example.com:8080/path?x=1#y",
    "tests: 3 failed, 12 passed (2026-03-10 12:00:00)",
    "monkey: banana",
    "max_tokens: 4096 is more than 2048.",
    '{"max_output_tokens":100000,"usage":{"total_tokens":1234}}',
    "thinking.budget_tokens: 32000.",
    "Cookie: none was sent",
    "usage: login <token> <file>",
    "tests pass: 12, fail: 3",
    "ssh://git@github.com/a/b and git@github.com:a/b.git",
    "GET http://localhost:8080/users?mail=ann@example.com",
  ])("leaves ordinary text unchanged: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("removes the secrets that other scanners report, in every context", () => {
    for (const secret of makeSecrets(seededRandom(7))) {
      const [, password] = /:\/\/\w+:([^@]+)@/.exec(secret) ?? [];
      const core = password ?? (secret.startsWith("-----") ? secret.slice(40, 60) : secret.slice(-8));
      for (const around of AROUND)
        expect([secret, redact(around(secret))]).not.toEqual([secret, expect.stringContaining(core)]);
    }
  });

  it("preserves the text around a secret", () => {
    expect(redact("connect postgres://admin:hunter22@db/x failed: timeout")).toBe(
      "connect postgres://admin:[secret]@db/x failed: timeout",
    );
    expect(redact("DB_PASSWORD=hunter22 npm test")).toBe("DB_PASSWORD=[secret] npm test");
    expect(redact("before ghp_16C7e42F292c6912E7710c838347 after")).toBe("before [key] after");
  });

  it("changes nothing when it redacts a second time", () => {
    for (const text of [
      "token=hunter22 x",
      'Authorization: Bearer abcdef.ghijkl "password": "a b c"',
      "--token abc def",
      "Authorization: Token abcdefgh Cookie: a=b; c=d",
      '{"api_keys": ["a", "b"], "password": {"value": "abc"}}',
      "https://abcdefghijklmnopqrst@x/ ?key=abcdef DB_PASSWORD=a;b",
    ]) {
      expect(redact(redact(text))).toBe(redact(text));
    }
  });

  it.each([
    ["openers of a JWT", "-eyJabcdefgh"],
    ["openers of a JWT without a break", "eyJ"],
    ["JWTs without an end", ".eyJabcdefghi"],
    ["key prefixes", "sk-"],
    ["prefixes of prefixes", "xoxb-xox"],
    ["PEM openers", "-----BEGIN A-----"],
    ["dashes", "-"],
    ["PEM openers with dashes", "-----BEGIN A-----a-b-"],
    ["names of secrets", "token"],
    ["names and quotes", "password\"'= "],
    ["names and backslashes", "secret\\\\"],
    ["bearers and spaces", "bearer  "],
    ["spaces", " "],
    ["schemes", "a://a:"],
    ["options", "--token "],
    ["curl's users", " -u a:"],
    ["one long word", "A"],
    ["quotes", '"token":"'],
    ["headers", "authorization: a b=c, "],
    ["headers of one scheme", "authorization:bearer "],
    ["cookies", "cookie:a=b;"],
    ["lists", "token:["],
    ["objects", "token:{}"],
    ["numbers and colons", "12345678:"],
    ["addresses without a scheme", "://a:a@"],
    ["queries", "?key=&sig="],
    ["capitals", "A_"],
    ["names in capitals", "KEY_TOKEN="],
    ["tags", "<token>"],
    ["logins", "login a password "],
    ["counts", "max_tokens: 1"],
    ["names and values", 'token","value":"'],
    ["percents", "token%22%3A%22"],
    ["names of programs", "mysql "],
    ["options of programs", "sshpass -p "],
    ["pipes", "echo a | sudo -S "],
    ["opening quotes", "echo '"],
    ["backslashes", "\\"],
    ["escaped quotes", '\\\\\\"'],
    ["block scalars", "password: |\n "],
    ["names without a line break", "password secret "],
    ["sentences", "password is "],
    ["names of variables", '{"name":"password",'],
    ["fields", "a:5432:b:c:"],
    ["headings", "a,password\n"],
    ["labels in another script", "密码："],
    ["calls", 'password("'],
    ["pairs", 'password=("'],
    ["codes", "otp code 2fa code "],
    ["web hooks", "hooks.slack.com/services/"],
    ["declarations", 'variable "password" {'],
    ["colors", "\u001b[0m"],
    ["at signs", "a@"],
  ])("is linear on 200 KB of %s", (_what, unit) => {
    const time = (size: number): number => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      const before = performance.now();
      redact(text);
      return performance.now() - before;
    };
    time(20_000);
    // Quadratic work on this size takes minutes; linear work takes a few milliseconds.
    expect(time(200_000)).toBeLessThan(5000);
  });
});
