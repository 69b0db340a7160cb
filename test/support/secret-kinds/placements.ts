import type { GeneratedSecret, SecretKind } from "./kind.ts";
import type { Maker } from "./maker.ts";

/** The contexts that a secret is placed in. */
export const PLACEMENTS = ["shell", "environment", "json", "escaped", "yaml", "prose", "url"] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** Returns a text that contains a generated secret; undefined if the kind does not occur in this context. */
export function placeSecret(kind: SecretKind, placement: Placement, maker: Maker): GeneratedSecret | undefined {
  switch (kind.kind) {
    case "token":
      return wrap(kind.make(maker), tokenAt[placement]);
    case "named": {
      const value = kind.make(maker);
      const text = namedAt(kind.name, value, placement, maker);
      return text === undefined ? undefined : { text, secrets: [value] };
    }
    case "line":
      return wrap(kind.make(maker), lineAt[placement]);
    case "block":
      return wrap(kind.make(maker), blockAt[placement]);
  }
}

type Wrap = ((text: string) => string | undefined) | undefined;

function wrap(secret: GeneratedSecret, around: Wrap): GeneratedSecret | undefined {
  const text = around?.(secret.text);
  return text === undefined ? undefined : { text, secrets: secret.secrets };
}

const tokenAt: Record<Placement, Wrap> = {
  shell: (text) => `./deploy.sh --region eu ${quoted(text)} --wait`,
  environment: (text) => `SETTING_A=${text}\nPORT=8080`,
  json: (text) => JSON.stringify({ value: text, count: 3 }),
  escaped: (text) => JSON.stringify({ input: JSON.stringify({ value: text, count: 3 }) }),
  yaml: (text) => `service:\n  setting: ${text}\n  replicas: 2`,
  prose: (text) => `2026-01-03T10:00:00Z WARN request with ${text} was rejected by the upstream`,
  url: (text) =>
    text.includes("://") || /[ $]/.test(text) ? undefined : `https://api.example.com/v1/items?x=${text}&page=2`,
};

function namedAt(name: string, value: string, placement: Placement, maker: Maker): string | undefined {
  const isIdentifier = /^[\w.-]+$/.test(name);
  const variable = isIdentifier && /^[A-Za-z_]\w*$/.test(name);
  const object = JSON.stringify({ host: "db", [name]: value, port: 5432 });
  switch (placement) {
    case "shell":
      if (variable) return maker.pick([`export ${name}='${value}' && npm start`, `${name}=${value} ./run.sh`]);
      if (isIdentifier) return `./run.sh --${name}=${value} --port 80`;
      return `echo "${name}: ${value}" >> notes.txt`;
    case "environment":
      return isIdentifier ? `HOST=db\n${name}=${value}\nPORT=5432` : `HOST=db\n# ${name}: ${value}\nPORT=5432`;
    case "json":
      return object;
    case "escaped":
      return JSON.stringify({ arguments: object });
    case "yaml":
      return maker.pick([`service:\n  ${name}: ${value}\n  port: 80`, `[service]\n${name} = ${value}\nport = 80`]);
    case "prose":
      return maker.pick([
        `2026-01-03T10:00:00Z INFO connected, ${name}: ${value}, port 5432`,
        `Use ${name}: ${value} for the staging system.`,
        `[debug] ${name}=${value}`,
      ]);
    case "url":
      return variable && /^[\w.~-]+$/.test(value)
        ? `https://api.example.com/v1/items?page=2&${name}=${value}#top`
        : undefined;
  }
}

const lineAt: Record<Placement, Wrap> = {
  shell: (text) => text,
  environment: (text) => `DEBUG=1\nLAST=${JSON.stringify(text)}\nPORT=80`,
  json: (text) => JSON.stringify({ command: text, timeout: 5000 }),
  escaped: (text) => JSON.stringify({ arguments: JSON.stringify({ command: text, timeout: 5000 }) }),
  yaml: (text) => `job:\n  script:\n    - ${text}\n  stage: test`,
  prose: (text) => `[12:00:01] step 3 of 7\n${text}\n[12:00:02] step 4 of 7`,
  url: undefined,
};

const blockAt: Record<Placement, Wrap> = {
  shell: (text) => `cat > config <<'EOF'\n${text}\nEOF`,
  environment: (text) => `DEBUG=1\nCONTENT=${JSON.stringify(text)}\nPORT=80`,
  json: (text) => JSON.stringify({ file_path: "/srv/config", content: text }),
  escaped: (text) => JSON.stringify({ arguments: JSON.stringify({ file_path: "/srv/config", content: text }) }),
  yaml: (text) => `files:\n  config: |\n${indent(text, 4)}\n  mode: '0600'`,
  prose: (text) => `$ cat config\n${text}\n$ `,
  url: undefined,
};

function quoted(text: string): string {
  return /[ $&?]/.test(text) ? `'${text}'` : text;
}

function indent(text: string, by: number): string {
  return text
    .split("\n")
    .map((each) => " ".repeat(by) + each)
    .join("\n");
}
