import type { Workflow } from "./workflow.ts";

/** Words of one weight, separated by commas; each may be several words long. `*` at the end of the last one stands for any ending. */
export type RuleLine = readonly [workflow: Workflow, weight: number, phrases: string];

/** Count where a sentence says what to do: as its verb, or as its question word. */
export const LEADS: readonly RuleLine[] = [
  ["bug_fix", 4, "fix, repair, debug, troubleshoot, behebe*, repariere*, korrigier*, corrige*, arregla*, répare*"],
  ["bug_fix", 3, "resolve, correct, patch, solve, investigate why, find out why, track down"],
  [
    "bug_fix",
    2,
    "figure out why, diagnose, handle the case, prevent, why isn't, why doesn't, why won't, why can't, what's wrong",
  ],
  ["feature", 3.5, "implement, build, develop, integrate, baue, implementiere*, erstelle*, füge, desarrolla, crea"],
  ["feature", 3, "add, support, introduce, allow, agrega*, añade*, ajoute*, ergänze"],
  ["feature", 2.5, "create, extend, enable, make a, make me, hook up, wire up, port, scaffold, crée, expose"],
  ["feature", 2, "write, generate, turn this into, provide, do i18n, make it possible"],
  [
    "feature",
    2,
    "include, display, show, store, persist, accept, validate, design, prototype, send, let, style, give me a, give us a",
  ],
  [
    "feature",
    1.5,
    "change, update, use, increase, decrease, put, hide, disable, log, set, center, align, connect, expand, save, switch",
  ],
  ["refactor", 5, "refactor*, restructure*, reorganis*, reorganiz*, rename, simplify, deduplicate, dedupe, decouple"],
  [
    "refactor",
    4,
    "split, tidy, clean up, extract, inline, optimise, optimize, speed up, modularise, modularize, räume",
  ],
  [
    "refactor",
    3,
    "convert, migrate, move, replace, rewrite, get rid of, consolidate, unify, merge the, remove, delete",
  ],
  ["refactor", 2.5, "make the, make this, make it, pull out, reduce"],
  [
    "refactor",
    4,
    "break up, break this, modernise, modernize, abstract, type the, make this function, make this code, factor out, dry up",
  ],
  ["test", 4, "mock, stub, cover, test"],
  ["docs", 5, "document, dokumentiere*, documente*"],
  ["review", 5, "review, audit, critique, überprüfe, revisa"],
  ["review", 2.5, "check the code, check this, check my, check if this, look over, proofread, rate"],
  [
    "review",
    2,
    "check for, verify, check whether, double check, evaluate, assess, thoughts, spot, scan, any issues, does this look, is this",
  ],
  ["ops", 5, "commit, deploy, bump, rebase, push, cherry, squash, stash, rollback, roll back"],
  ["ops", 4, "restart, release, publish, revert, undo, redeploy, provision, merge, pull, upgrade, tag"],
  ["ops", 3, "run, install, configure, set up, setup, start, stop, kill, launch, upgrade to, open a pr, führe"],
  [
    "ops",
    4,
    "build the project, build it, build and, checkout, check out, fetch, sync, back up, backup, restore, ssh, pin, migrate the database",
  ],
  [
    "exploration",
    4,
    "explain, compare, describe, trace, walk me, where, wie, wo, warum, dónde, cómo, où, qué, explique*, erkläre*",
  ],
  [
    "exploration",
    3,
    "how, which, who, why, list, find, plan, what, what's, whats, analyse, analyze, investigate, research",
  ],
  [
    "exploration",
    3,
    "read, brainstorm, suggest, recommend, propose, map out, count, learn, outline, look through, think about, when does, whose",
  ],
  [
    "exploration",
    2,
    "show me, tell me, is there, are there, do we, does the, look at, look into, search, summarise the, summarize the",
  ],
  ["other", 5, "translate, sing, thanks, thank you, thx"],
];

/** Count wherever they stand; in the sentences behind the first by half. */
export const MENTIONS: readonly RuleLine[] = [
  ["bug_fix", 4, "off by one, segfault*, segmentation fault, stack overflow"],
  [
    "bug_fix",
    3,
    "bug, bugs, crash*, broken, doesn't work, does not work, not working, isn't working, doesn't accept, hangs, deadlock*",
  ],
  [
    "bug_fix",
    3,
    "race condition, memory leak, work again, working again, get it working, fehler, no funciona, infinite loop, freezes",
  ],
  [
    "bug_fix",
    2.5,
    "wrong, fails, leak, fix, fixes, does nothing, nullpointerexception, exception, rejects valid, not persisted, isn't persisted",
  ],
  [
    "bug_fix",
    2,
    "error, failing, still broken, regression, isn't, worked in, used to work, worked before, stopped working, permission denied",
  ],
  [
    "bug_fix",
    1.5,
    "instead of, issue, shouldn't, never, since yesterday, duplicates, end up, cause, wird nicht, won't, can't, unexpected",
  ],
  ["bug_fix", 1, "reporting that, errors, problem, rotated, as expected, suddenly, even though"],
  [
    "bug_fix",
    2.5,
    "throws, throwing, times out, stuck, blank, white screen, corrupt*, incorrect*, misaligned, flicker*, overlaps, no longer works",
  ],
  [
    "bug_fix",
    2.5,
    "stack trace, not showing, doesn't show, doesn't load, won't load, nan, goes wrong, what's wrong, keeps failing, out of memory",
  ],
  [
    "bug_fix",
    1.5,
    "no longer, doesn't, does not, undefined, 500, 404, twice, stale, cut off, loses, lost, weird, inconsistent, failed, timeout",
  ],
  ["feature", 3, "be able to, should receive, should take, should support, new endpoint, from scratch, feature flags"],
  [
    "feature",
    2,
    "write a function, game, web app, in addition to, a new, we need, i want, i'd like, cli that, script that, tool that",
  ],
  ["feature", 1, "should, endpoint, as well as, button, page, support, feature, using, shortcut, option, new"],
  [
    "feature",
    2,
    "users can, let users, would be nice, when the user, so that users, allow users, user story, acceptance criteria, mvp",
  ],
  [
    "refactor",
    3,
    "dead code, duplication, without changing, same output, same behaviour, same behavior, unused, readability, refactor*",
  ],
  [
    "refactor",
    2.5,
    "faster, cleaner, lines long, what they share, into smaller, async await, aufräumen, any types, folder structure, any type",
  ],
  [
    "refactor",
    1.5,
    "its own, everywhere, performance, duplicated, redundant, too long, viel zu lang, nobody imports, by native, in one place",
  ],
  [
    "refactor",
    2.5,
    "more readable, type safe, idiomatic, strict mode, cleanup, bottleneck, more efficient, reusable, copy pasted, spaghetti, messy",
  ],
  [
    "test",
    3.5,
    "tests, unit tests, unit test, integration test, e2e test, regression test, test coverage, pruebas, property based, failing test",
  ],
  ["test", 3, "snapshots, snapshot"],
  ["test", 2.5, "test, coverage, test suite, table driven, test cases, prueba"],
  ["test", 1.5, "spec, flaky, mock*, vitest, jest, pytest, mocha, playwright, fixtures, assertions"],
  ["test", 2, "specs, cypress, tdd, test data, testing, test plan, junit, fuzz*, testcontainers, happy path"],
  ["docs", 5, "readme, docstring*, jsdoc, changelog, documentation, dokumentation, documentación"],
  [
    "docs",
    4,
    "migration guide, user guide, tutorial, api reference, in comments, adr, release notes, contributing, typos",
  ],
  ["docs", 3, "docs, wiki, diagram, code comments, add comments, documented, mermaid, getting started"],
  [
    "docs",
    3.5,
    "quickstart, how to guide, faq, godoc, rustdoc, javadoc, doc comments, inline comments, runbook, write up, openapi spec, handbook",
  ],
  [
    "review",
    4,
    "code review, review, security audit, what do you think, feedback, pull request durchsehen, second opinion",
  ],
  [
    "review",
    3,
    "look over, style guide, vulnerabilities, is this safe, anything is wrong, safe from, anything wrong, sanity check, lgtm",
  ],
  ["review", 1.5, "before i merge, diff, be picky, any problems, durchsehen, best practices, my changes, correctness"],
  [
    "review",
    2.5,
    "thoughts, opinion, good idea, code smells, any issues with, did i miss, nitpick*, approve, look good, looks good, security holes",
  ],
  [
    "ops",
    4.5,
    "github actions, dockerfile, create a pr, open a pr, make a pr, docker compose, gitlab ci, create a pull request",
  ],
  [
    "ops",
    3,
    "nginx, kubernetes, terraform, helm, commit mit, ci, pipeline, dependencies, dev server, systemd, ansible",
  ],
  [
    "ops",
    2,
    "container, staging, deploy*, docker, npm, linter, lint, pods, reverse proxy, base image, git, branch, cron, to prod",
  ],
  ["ops", 1, "conflicts, version, server, commit, push, main, logs, merge, env, production"],
  [
    "ops",
    3,
    "k8s, aws, s3 bucket, env vars, gitignore, lockfile, package lock, makefile, run migrations, pip install, npm install, worktree",
  ],
  [
    "ops",
    2,
    "cluster, grafana, prometheus, prettier, eslint, brew, apt, node_modules, secrets, ssl, certificate, port, build cache, systemctl",
  ],
  [
    "exploration",
    4,
    "overview, how does, how do we, don't write any code, no code yet, only the plan, just curious, difference between",
  ],
  [
    "exploration",
    3,
    "where is, where are, where do, find all, what does, which files, understand, codebase, make a plan, no changes yet",
  ],
  [
    "exploration",
    2,
    "why do, why does, why is, what is, explain, use case, pros and cons, what happens, funktioniert, quién, structure",
  ],
  [
    "exploration",
    3,
    "help me understand, what are, do you know, is it possible, any idea, how many, how much, best way, should we, should i",
  ],
  [
    "exploration",
    2,
    "options, approach, approaches, high level, trade offs, tradeoffs, walk me through, which library, alternatives, curious",
  ],
  ["other", 5, "poem, joke, capital of, recipe, haiku, weather, translate to"],
  ["other", 3, "e mail in, this e mail, this email, essay, song"],
];

/** Languages without spaces: parts of the text. */
export const PARTS: readonly RuleLine[] = [
  ["bug_fix", 4, "修复, 崩溃, 报错, 错误, バグ, 修正"],
  ["feature", 3, "添加, 实现, 新增, 增加, 開発, 追加"],
  ["refactor", 5, "重构, 优化, リファクタ"],
  ["test", 4, "测试, テスト"],
  ["docs", 4, "文档, 注释, ドキュメント"],
  ["review", 5, "审查, 评审, レビュー"],
  ["ops", 4, "部署, 提交代码, 发布, デプロイ"],
  ["exploration", 3, "哪里, 为什么, 怎么, 如何, 解释, 什么, どこ, なぜ, 説明"],
];

/** What a paste says about the words around it. */
export const PASTES = { trace: ["bug_fix", 3], diff: ["review", 1.5], code: ["feature", 0] } as const;

/** A prompt of a few words that is nothing but one of these goes on with what was asked before. */
export const REPLIES = new Set(
  (
    "continue go on yes no ok okay thanks thank you sure hello hi hey stop wait perfect great yep nope proceed ahead do it option a b c d " +
    "that's that good nice cool please weiter ja nein danke sí gracias oui merci keep going cancel never mind nevermind again right correct " +
    "lgtm y n ko resume done exactly agreed fine first second third one two try retry"
  ).split(" "),
);
