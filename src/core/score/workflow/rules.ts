/**
 * The phrases that distinguish workflows. Each line: workflow, weight of each phrase, phrases. `*` matches any ending.
 * Lower case, straight apostrophes, single spaces.
 */

/** Count at the main verb or question word of a sentence. */
export const LEADS = `
bug_fix 4: fix, fixing, repair, debug, debugging, troubleshoot, beheb*, repariere*, korrigier*, corrige*, arregla*, répare*
bug_fix 3: resolve, correct, patch, solve, investigate why, find out why, track down, sort it out, sort this out, take care of, stop it from
bug_fix 3: diagnose, figure out why, get this working, get it to work, make sure it works, abstellen
bug_fix 2: handle the case, prevent, why isn't, why doesn't, why won't, why can't, what's wrong, help me figure out
bug_fix 4: исправ*, почини*, отлад*, consert*, corrij*, ripara*, napraw*, herstel*
bug_fix 3: make it stop, make that stop, stop the, figure out what, find out what's, find the cause, get rid of the error, разберись, you broke, your change broke, i broke
bug_fix 3: make the build green, make it work, make this work, make them pass, unbreak
feature 3.5: implement, implementing, build, building, adding, develop, integrate, baue, implementiere*, desarrolla
feature 3: support, introduce, allow, extend, enable, expose, hook up, wire up, scaffold
feature 2: add, create, make a, make me, port, agrega*, añade*, ajoute*, ergänze, crée, crea, erstelle*, füge, добавь
feature 1.5: write, generate
feature 2: turn this into, provide, do i18n, make it possible, include, display, show, store, persist, accept, validate
feature 2: improve, modify, adjust, incorporate, recreate, fill, design, prototype, send, let, style, give me a, give us a, could the, can the
feature 1.5: change, update, use, increase, decrease, put, hide, disable, log, set, center, align, connect, expand, save, switch
feature 3: implément*, implementa*, добав*, сделай, реализуй, создай, adicion*, aggiung*, ajouter, añadir, baue, füg, voeg
feature 2.5: make the, make it so, make every, zeige, mostra*, affiche*, allow us, teach, offer, remember, notify, render
refactor 5: refactor*, restructure*, reorganis*, reorganiz*, rename, simplify, deduplicate, dedupe, decouple
refactor 4: split, tidy, clean up, extract, inline, optimise, optimize, speed up, modularise, modularize, räume, break up, break this
refactor 4: modernise, modernize, abstract, factor out, dry up, pull apart, pull those apart, unify
refactor 4: extra*, auslagern, lagere, vereinfach*, simplifi*, вынес*, упрост*, перепиш*, отрефактор*, umbenennen, benenne, renombra*, renomme*, sépare*, separa*
refactor 3: flatten, group the, collapse, untangle, drop the, stop using, use the same
refactor 3: convert, migrate, move, replace, rewrite, get rid of, consolidate, merge the, remove, delete, switch from, swap, move away, type the
refactor 2.5: pull out, reduce
feature 1: make
test 4: mock, stub, cover, test, assert, stabilise, stabilize, exercise
test 4: teste, tester, протестируй, напиши тест*, schreib einen test, schreibe tests
docs 5: document, dokumentiere*, documente*, release notes
review 5: review, audit, critique, überprüfe, revisa, revisar, revisen
docs 4: explain in, describe in, note in, mention in, zadokumentuj*, задокументируй
review 5: prüfe, prüf, relis, révise*, revise*, проверь мой, посмотри мой, rivedi, tell me if you'd, would you merge, roast, grade
review 3.5: what do you think, look at my, look at the diff, take a look at the diff, take a look at my, have a look at my, is it ok, is my
review 2.5: check the code, check this, check my, check if this, look over, proofread, rate
review 2: check for, verify, check whether, double check, evaluate, assess, thoughts, spot, scan, any issues, does this look, is this
ops 5: commit, deploy, bump, rebase, push, cherry, squash, stash, rollback, roll back
ops 4: restart, release, publish, revert, undo, redeploy, provision, merge, pull, upgrade, tag, build the project, build it, build and
ops 4: checkout, check out, sync, back up, backup, restore, ssh, pin, migrate the database, spin up, apply the pending, tear down
ops 4: scale, rotate, regenerate, clear out, clean out, reload, free up
ops 4: create a branch, make a branch, new branch, start a branch, crée une branche, erstelle einen branch, crea una rama, switch to, запусти*, обнови, закоммить, задеплой, lance, déploie*, despliega*, starte, deploye, installiere, instala*, aktualisiere
ops 2: fetch
ops 4: rerun, run the, reinstall
ops 3: run, install, configure, set up, setup, start, stop, kill, launch, upgrade to, open a pr, führe
exploration 4: explain, compare, describe, trace, walk me, where, wie, wo, warum, dónde, cómo, où, qué, explique*, erkläre*, pourquoi, quelle, quel
exploration 4: understand, show me where, show me how, find out which, find out how, find out where
exploration 3: how, which, who, why, list, find, plan, what, what's, whats, analyse, analyze, investigate, research, read, brainstorm
exploration 3: suggest, recommend, propose, map out, count, learn, outline, look through, think about, when does, whose, take a look
exploration 2: show me, tell me, tell, is there, are there, do we, does the, look at, look into, search, summarise the, summarize the, inspect
exploration 4: объясни*, покажи, где, как, почему, что, зачем, spiega*, explica*, onde, dove, perché, perchè, por qué, porque, zeig mir, muéstra*, montre, was, welche, wer, wann, qual, comment, qu'est
exploration 3: does our, does it, do our, is our, are our, has our, did we, can we, could we, are we
other 5: translate, sing, thanks, thank you, thx
`;

/** Count anywhere. */
export const MENTIONS = `
bug_fix 4: off by one, segfault*, segmentation fault, stack overflow
bug_fix 3: bug, bugs, crash*, broken, doesn't work, does not work, not working, isn't working, doesn't accept, hangs, deadlock*, memory leak
bug_fix 3: race condition, work again, working again, get it working, fehler, no funciona, infinite loop, freezes
bug_fix 2.5: wrong, fails, leak, fix, fixes, does nothing, nullpointerexception, exception, not persisted, isn't persisted, throws, throwing
bug_fix 2.5: times out, stuck, blank, white screen, corrupt*, incorrect*, misaligned, flicker*, overlaps, no longer works, stack trace
bug_fix 2.5: not showing, doesn't show, doesn't load, won't load, nan, goes wrong, what's wrong, keeps failing, out of memory
bug_fix 2: error, failing, still broken, regression, isn't, worked in, used to work, worked before, stopped working, permission denied, failed to
bug_fix 2: don't match, doesn't match, mismatch, mistake, vanish*, disappear*, diverge*, rejection, unauthorized, 401, 403, doppelt, double, still getting
bug_fix 1.5: instead of, issue, shouldn't, never, since yesterday, duplicates, end up, cause, won't, can't, unexpected, no longer, doesn't
bug_fix 2: returns nothing, complains, jumps, skips, skipping, ignores, ignored, gets lost, why is this happening
bug_fix 1.5: does not, undefined, 500, 404, twice, stale, cut off, loses, lost, weird, inconsistent, failed, timeout, i'm getting, rejects
bug_fix 1: reporting that, errors, problem, rotated, as expected, suddenly, even though, getting a
bug_fix 3: spins forever, spinning forever, hanging, crashed, infinite spinner, won't start, refuses to, logged out, disconnect*, jumpy, laggy, glitch*, broke, breaks
bug_fix 3: ошибк*, не работает, перестал*, падает, сломал*, kaputt, funktioniert nicht, geht nicht, ne marche, ne fonctionne, erreur, bogue, falla, roto, erro, não funciona, non funziona, errore
bug_fix 2: race, causing, driving me nuts, driving us, for no reason, out of nowhere, randomly, intermittent*, anymore, any more, reports that, reproduce, repro
bug_fix 1.5: forever, missing, empty, wrongly, every time, sometimes
feature 3: be able to, should receive, should take, should support, new endpoint, from scratch, feature flags
feature 2.5: as a, i would love, would love a, new column, new field, new page, avons besoin, necesitamos, wir brauchen
feature 2: write a function, game, web app, in addition to, a new, we need, i want, i'd like, cli that, script that, tool that
feature 2: users can, let users, would be nice, when the user, so that users, allow users, user story, acceptance criteria, mvp, should open
feature 1: should, endpoint, as well as, button, page, support, feature, using, shortcut, option, new, dialog
feature 2: needs a way, need a way, a way to, should let, should show, should send, should allow, next to, at the top, top right, sticky, dropdown, toggle, checkbox, notification, send a, attach, tooltip
refactor 3: dead code, duplication, without changing, same output, same behaviour, same behavior, unused, readability, refactor*, readable
refactor 3: copy and paste, copy paste, copy pasted, god object, god class, dependency injection, singleton, no visible change, keep the public api
refactor 2.5: faster, cleaner, lines long, what they share, into smaller, async await, aufräumen, any types, any type, folder structure, type safe
refactor 2.5: more readable, idiomatic, strict mode, cleanup, bottleneck, more efficient, reusable, spaghetti, messy, allocat*, technical debt
refactor 1.5: its own, everywhere, performance, duplicated, redundant, too long, viel zu lang, by native, in one place, coupling, coupled, nested
refactor 1.5: too many, separate, hot loop, hot path, legacy
refactor 3.5: stay identical, stays identical, stay the same, same result, changing the result, sin cambiar, sans changer, senza cambiare, senza modificare, sem alterar, sem mudar, byte identical, am verhalten, ohne das verhalten, ohne änderung*, does too much, way too much, too big, break it up, split it, to typescript, into a module, into modules, magic numbers, konstanten, constants, repository pattern
refactor 2: instead of raw, pattern, helper function, in one file, shared, hard coded, hardcoded
test 4.5: unit tests, unit test, integration test, integration tests, e2e test, regression test, test coverage
test 3.5: tests, pruebas, property based, failing test
test 3.5: snapshots, snapshot
test 3.5: test data, covered
test 3: test, coverage, test suite, table driven, test cases, prueba, passes locally, hypothesis, quickcheck, generated inputs, fake, assert*
test 2: specs, cypress, tdd, testing, test plan, junit, fuzz*, testcontainers, happy path, edge cases, exercised, casos límite
test 1.5: spec, flaky, mock*, vitest, jest, pytest, mocha, playwright, fixtures
test 4: add a test, write a test, тест*, a test that, a test for
docs 5: readme, docstring*, jsdoc, changelog, documentation, dokumentation, documentación
docs 5: readme md, contributing md
docs 4: migration guide, user guide, tutorial, api reference, in comments, adr, release notes, contributing, typos, usage example, written down
docs 4: write it down, doku, comment each, code samples, quickstart, how to guide, faq, godoc, rustdoc, javadoc, doc comments, inline comments
docs 3: comments, docs, wiki, diagram, code comments, add comments, documented, mermaid, getting started, runbook, write up, openapi spec, handbook
docs 4: in a comment, a comment above, comment above, a comment explaining, out of date, outdated section, section about, комментар*, документац*, kommentar*, commentaire*, comentario*, comentário*, anleitung*, handbuch, manuale, guía para
review 4: code review, review, security audit, security pass, what do you think, feedback, pull request durchsehen, second opinion, merge request, pair of eyes
review 3: look over, style guide, vulnerabilities, is this safe, anything is wrong, safe from, anything wrong, sanity check, lgtm, any good
review 3: brutally honest, be honest, hazards, dangerous, spot anything, rate the quality, security holes
review 3.5: my pr, my pull request, security problems, security issues, security risks, what you would change, matches the spec, is this correct
review 2.5: correct, deviation, thoughts, opinion, good idea, code smells, any issues with, did i miss, nitpick*, approve, look good, looks good
review 1.5: before i merge, diff, be picky, any problems, durchsehen, best practices, my changes, correctness
review 3.5: be harsh, harsh, if you'd merge, would you approve, ready to merge, что не так, my implementation, my approach, merge it
ops 4.5: newest version, latest version, latest versions, run the tests, compose file, open a pull request, github actions, dockerfile, create a pr, open a pr, make a pr, docker compose, gitlab ci, create a pull request
ops 3: nginx, kubernetes, terraform, helm, commit mit, ci, pipeline, dependencies, dev server, systemd, ansible, k8s, aws, s3 bucket, env vars
ops 3: gitignore, lockfile, package lock, makefile, run migrations, pip install, npm install, worktree, git history, git config, nightly builds
ops 2: container, staging, deploy*, docker, npm, linter, lint, pods, reverse proxy, base image, git, branch, to prod, runners, artifacts
ops 2: grafana, prometheus, prettier, eslint, brew, apt, node_modules, secrets, ssl, certificate, build cache, systemctl, disk is full, commits
ops 1: conflicts, version, server, commit, push, main, logs, merge, env, production, cluster, port, cron
ops 3: ветк*, une branche, einen branch, una rama, github, force push, the remote, origin, upstream branch
exploration 4: overview, how does, how do we, don't write any code, no code yet, only the plan, just curious, difference between
exploration 4: to understand
exploration 3: where is, where are, where do, find all, what does, which files, understand, codebase, make a plan, no changes yet
exploration 3: help me understand, what are, do you know, is it possible, any idea, best way, should we, should i
exploration 3: don't touch anything, enlighten me, rough idea, how long, who calls, différence, i don't get how, a summary, what would
exploration 2: why do, why does, why is, what is, explain, use case, pros and cons, what happens, funktioniert, quién, structure, options
exploration 2: approach, approaches, high level, trade offs, tradeoffs, walk me through, which library, alternatives, curious
other 6: limerick, world cup, poem, joke, capital of, haiku, weather, translate to, birthday, your name, celsius, fahrenheit, how are you, what i meant
other 3: cook, dinner, tonight, horoscope, riddle, meaning of life
other 3: e mail in, this e mail, this email, essay, song
`;

/** Substrings, for languages without spaces. */
export const PARTS = `
bug_fix 4: 修复, 崩溃, 报错, 错误, バグ, 修正, 白屏, 直して, エラー, 失败, 异常, 不能用, 不显示, 无法, 動かない, 残ってしま, 卡死, 有问题, 고쳐, 오류, 버그
feature 3: 添加, 实现, 新增, 增加, 開発, 追加, 加一个, 加个, 加上, 支持, 做一个, 写一个, 実装, 対応して, 作って, 추가, 만들어
refactor 5: 重构, 优化, リファクタ, 拆分, 重命名, 提取, 整理して, 抽出, 简化, 리팩터, 리팩토
test 4: 测试, テスト, 用例, 테스트
docs 4: 文档, 注释, ドキュメント, コメント, 説明書, 문서, 주석
review 5: 审查, 评审, レビュー, 看看我的代码, 리뷰
ops 4: 部署, 提交代码, 发布, デプロイ, 分支, 合并, 推送, 回滚, 升级, 安装, 重启, ブランチ, コミット, マージ, 배포, 커밋
exploration 3: 哪里, 哪个, 为什么, 怎么, 如何, 解释, 什么, どこ, なぜ, 説明, 教えて, 介绍, 설명, 어디, 왜
`;

/** A plain statement reports a problem; a plain order or wish asks for something new. */
export const MOODS = `
bug_fix 1.6: statement
feature 1.6: wish
feature 0.8: order
exploration 2: question
`;

/** Weights of pasted text. */
export const PASTES = `
bug_fix 3: trace
review 1.5: diff
`;

/** A short prompt of these words only continues the previous request. */
export const REPLIES =
  "continue go on yes no ok okay thanks thank you sure hello hi hey stop wait perfect great yep nope proceed ahead do it option a b c d " +
  "that's that good nice cool please weiter ja nein danke sí gracias oui merci keep going cancel never mind nevermind again right correct " +
  "lgtm y n k ye yeah nah resume done exactly agreed fine first second third one two try retry sounds next hmm not what i meant looks good super awesome";
