import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { StoredCall } from "../../core/repair/index.ts";
import type { SealedCall, SealedCallStore } from "../../store/port.ts";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const STATE_KEY_BYTES = 32;

/** A repaired call with the key of its row. */
export interface VaultCall {
  readonly project: string;
  readonly id: string;
  readonly call: StoredCall;
}

/**
 * Stores repaired calls that must be put back whole, apart from their redacted records. Rows are encrypted, and each is
 * bound to its id: a row copied to another id cannot be opened.
 */
export class CallVault {
  readonly #store: SealedCallStore;
  readonly #key: Buffer;

  constructor(store: SealedCallStore, key: Buffer) {
    this.#store = store;
    this.#key = key;
  }

  async save({ project, id, call }: VaultCall, at: number): Promise<void> {
    const sealed = this.#seal(project, id, call);
    await this.#store.saveSealedCall({ project, tool_call_id: id, created_at: at, sealed });
  }

  /** Rows that cannot be opened, because the key has changed, are left out. */
  async load(since: number, limit: number): Promise<readonly VaultCall[]> {
    return this.#openAll(await this.#store.sealedCalls(since, limit));
  }

  async find(project: string, ids: readonly string[]): Promise<readonly VaultCall[]> {
    return this.#openAll(await this.#store.findSealedCalls(project, ids));
  }

  remove(project: string, ids: readonly string[]): Promise<void> {
    return this.#store.deleteSealedCalls(project, ids);
  }

  removeBefore(time: number): Promise<void> {
    return this.#store.deleteSealedCallsBefore(time);
  }

  #openAll(rows: readonly SealedCall[]): readonly VaultCall[] {
    return rows.flatMap(({ project, tool_call_id: id, sealed }) => {
      const call = this.#open(project, id, sealed);
      return call === undefined ? [] : [{ project, id, call }];
    });
  }

  #seal(project: string, id: string, { name, arguments: args }: StoredCall): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(rowId(project, id));
    const text = Buffer.concat([cipher.update(JSON.stringify([name, args]), "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
  }

  #open(project: string, id: string, sealed: string): StoredCall | undefined {
    try {
      const bytes = Buffer.from(sealed, "base64");
      const [textAt, tagAt] = [IV_BYTES + TAG_BYTES, IV_BYTES];
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, tagAt), { authTagLength: TAG_BYTES });
      decipher.setAAD(rowId(project, id));
      decipher.setAuthTag(bytes.subarray(tagAt, textAt));
      const text = Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString("utf8");
      // Authenticated: this class wrote it.
      const [name, args] = JSON.parse(text) as [string, string];
      return { name, arguments: args };
    } catch {
      return undefined;
    }
  }
}

function rowId(project: string, id: string): Buffer {
  return Buffer.from(`${project}\u0000${id}`, "utf8");
}
