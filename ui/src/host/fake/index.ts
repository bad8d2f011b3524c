/**
 * The window without the program, for tests and for looking at views in a browser. Its answers about the sample's texts and skills, about
 * how frameworks load them, and about the steps of its runs are recorded from the real workbench (`answers/`). The commands that are
 * answered by hand or by a rule are listed with the reasons in `by-hand.test.ts`: what a test changes (folders, files, reviews, models, keys, approvals,
 * the list of runs), what it must time (runs that go on, `live.ts`), what is outside of the window (dialogs, other programs, servers, the
 * sandbox), and files that a run wrote. So are errors, the numbers of a provider (`inspect_count`), and very long lists and runs.
 */
import type { CommandName, DragEvent, Host } from "..";
import type { Commands, InspectArgs, Inspection, Push, RunDetail, RunRequest } from "../../generated/api";
import { APPROVALS, FILES_OF_RUN, fileOfRun } from "./changes";
import { columnsOf } from "../../trace/steps";
import { asked } from "./asked";
import { failure } from "./failure";
import { FakeReviews } from "./reviews";
import { Disk, version } from "./disk";
import { FakeHistory } from "./history";
import { BEGIN, cardOf, HARNESSES, inspectionOf, inspectionsOf, listOf, sentOf, tableOf, tokensOf, verdictsOf } from "./answers";
import { LiveRun } from "./live";
import { FakeModels, LISTED } from "./models";
import { lookOf } from "./packages";
import { indexOf } from "./run-index";
import {
    alignedRows,
    BUNDLED_RUN,
    checkOf,
    CHINESE_RUN,
    contextAt,
    DELEGATED_RUN,
    eagerOf,
    furtherSteps,
    recorded,
    runDiff,
    sampleSteps,
    searchIn,
    setup,
} from "./runs";

/** For answers that do not depend on what a test changes. */
const SAMPLE = { changes: () => ({ disk: {}, closed: [] }), files: new Map<string, string>() };

type Answer<K extends CommandName> = Commands[K]["result"] | Promise<Commands[K]["result"]>;
type Handlers = { [K in CommandName]: (args: Commands[K]["args"]) => Answer<K> };

export interface FakeHost extends Host {
    readonly disk: Disk;
    readonly calls: { name: CommandName; args: unknown }[];
    /** Replaces the answer of one command. */
    on<K extends CommandName>(name: K, handler: (args: Commands[K]["args"]) => Answer<K>): void;
    push(push: Push): void;
    drag(event: DragEvent): void;
    /** Answers whether the window may close. */
    close(): Promise<boolean>;
    copied: string | null;
    folderPicked: string | null;
    savePicked: string | null;
    filePicked: string | null;
}

export function fakeHost(): FakeHost {
    const disk = new Disk();
    const listeners = new Set<(push: Push) => void>();
    const drags = new Set<(event: DragEvent) => void>();
    let allowClose: () => Promise<boolean> = async () => true;
    const handlers = answers(disk, (push) => fake.push(push));
    const fake: FakeHost = {
        disk,
        calls: [],
        copied: null,
        folderPicked: null,
        savePicked: null,
        filePicked: null,
        call: async (name, args) => {
            fake.calls.push({ name, args });
            return structuredClone(await handlers[name](args));
        },
        on(name, handler) {
            Object.assign(handlers, { [name]: handler });
        },
        listen: async (onPush) => subscribe(listeners, onPush),
        push: (push) => listeners.forEach((listener) => listener(push)),
        pickFolder: async () => fake.folderPicked,
        pickFile: async () => fake.filePicked,
        pickSave: async () => fake.savePicked,
        onDrag: async (onEvent) => subscribe(drags, onEvent),
        drag: (event) => drags.forEach((listener) => listener(event)),
        copy: async (text) => {
            fake.copied = await text;
        },
        onClose: async (allow) => {
            allowClose = allow;
            return () => undefined;
        },
        close: () => allowClose(),
        setZoom: async (factor) => {
            document.documentElement.style.setProperty("zoom", String(factor));
        },
        setTitle: async (title) => {
            document.title = title;
        },
    };
    return fake;
}

function answers(disk: Disk, push: (push: Push) => void): Handlers {
    const runs = new Map<string, RunDetail>([
        [DELEGATED_RUN.summary.id, structuredClone(DELEGATED_RUN)],
        [BUNDLED_RUN.summary.id, structuredClone(BUNDLED_RUN)],
        [CHINESE_RUN.summary.id, yesterday(CHINESE_RUN)],
    ]);
    const live = new Map<string, LiveRun>();
    const reviews = new FakeReviews();
    const models = new FakeModels(disk);
    const history = new FakeHistory(disk);
    let approvals = APPROVALS;
    const start = (request: Pick<RunRequest, "prompt" | "harness" | "variant" | "model">): string => {
        const id = `run-${runs.size}`;
        const detail = recorded(id, request.prompt, Date.now(), request.harness, request.variant);
        const steps = sampleSteps(request.prompt, request.harness);
        detail.summary = { ...detail.summary, setup: setup(request), status: "running", endedAt: null, steps: 0 };
        detail.steps = [];
        runs.set(id, detail);
        live.set(id, new LiveRun(detail, steps, push));
        return id;
    };
    const inspected = ({ harness, variant, neutralPaths, unsaved }: InspectArgs): Inspection => {
        const found = inspectionOf(disk.open(unsaved), harness, variant, neutralPaths);
        return { ...found, tokens: { ...found.tokens, tokenizer: disk.settings.tokenizer } };
    };
    return {
        bench_state: () => ({
            version: "0.1.0",
            folders: disk.folders,
            recent: ["/home/ada/old-skills"],
            settings: disk.settings,
            stateDirectory: "/home/ada/.local/state/skill-workbench",
            configDirectory: "/home/ada/.config/skill-workbench",
            tokenizers: ["o200k_base", "cl100k_base"],
        }),
        settings_set: ({ settings }) => {
            const counts = settings.tokenizer !== disk.settings.tokenizer;
            disk.settings = settings;
            if (counts) {
                push({ type: "filesChanged", paths: [] });
            }
            return settings;
        },
        folder_open: ({ path }) => {
            disk.folders = [...disk.folders, { path, name: path.slice(path.lastIndexOf("/") + 1), bundled: false, watched: true }];
            return disk.folders;
        },
        trust_list: () => disk.trust,
        trust_add: ({ path }) =>
            (disk.trust = { trusted: [...disk.trust.trusted, path], waiting: disk.trust.waiting.filter((other) => other !== path) }),
        trust_remove: ({ path }) => (disk.trust = { ...disk.trust, trusted: disk.trust.trusted.filter((other) => other !== path) }),
        approval_list: () => approvals,
        approval_set: ({ folder, program, answer }) =>
            (approvals = approvals.map((entry) =>
                entry.folder === folder && (program === null || entry.program === program) ? { ...entry, answer, holds: true } : entry,
            )),
        approval_revoke: ({ folder, program }) =>
            (approvals = approvals.filter((entry) => entry.folder !== folder || (program !== null && entry.program !== program))),
        sandbox_state: () => ({
            layer: "bubblewrap",
            reason: null,
            mode: "prefer",
            folderMb: 1024,
            venv: null,
            neutralPaths: false,
            notNeutral: null,
        }),
        folder_close: ({ path }) => (disk.folders = disk.folders.filter((folder) => folder.path !== path)),
        skill_list: () => disk.list(),
        skill_get: ({ id }) => disk.detail(id),
        skill_new: ({ folder, name, description }) => {
            disk.files.set(`${folder}/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`);
            return disk.detail(`${folder}/${name}`).summary;
        },
        skill_copy: ({ skill, name }) => {
            const folder = `${skill.slice(0, skill.lastIndexOf("/"))}/${name}`;
            for (const [path, text] of [...disk.files].filter(([path]) => path.startsWith(`${skill}/`))) {
                disk.files.set(`${folder}${path.slice(skill.length)}`, text.replace(/^name: .*$/m, `name: ${name}`));
            }
            return disk.detail(folder).summary;
        },
        package_save: ({ path }) => ({ path, files: 3, bytes: 2048, leftOut: [] }),
        package_look: () => lookOf(),
        package_open: ({ folder, names, renamed }) =>
            Object.entries(names).map(([from, name]) => {
                const packed = lookOf().skills.find((skill) => skill.folder === from);
                const called = renamed.includes(from) ? name : (packed?.name ?? name);
                disk.files.set(`${folder}/${name}/SKILL.md`, `---\nname: ${called}\ndescription: ${packed?.description ?? ""}\n---\n`);
                return disk.detail(`${folder}/${name}`).summary;
            }),
        template_list: (args) => asked(SAMPLE, "template_list", args),
        file_read: ({ path }) => disk.read(path),
        file_save: ({ path, text, base, force }) => {
            const current = disk.files.get(path);
            if (!force && current === undefined && base !== null) {
                return { type: "gone" };
            }
            if (!force && current !== undefined && version(current) !== base) {
                return { type: "changed", theirs: disk.read(path) };
            }
            history.keep(path, [...(current === undefined ? [] : [current]), text]);
            disk.files.set(path, text);
            return { type: "saved", version: version(text) };
        },
        file_create: ({ path }) => {
            if (disk.files.has(path)) {
                throw failure({ code: "exists", message: `${path} exists already`, hint: "Choose another name.", path, why: null });
            }
            disk.files.set(path, "");
            return disk.read(path);
        },
        file_move: ({ from, to }) => (disk.move(from, to), null),
        file_mentions: (args) => asked(disk, "file_mentions", args),
        file_trash: ({ path }) => disk.trash(path),
        trash_list: () => disk.deleted.map(({ trashed }) => trashed),
        trash_restore: ({ id }) => disk.restore(id),
        trash_remove: ({ id }) => (disk.take(id), disk.deleted.map(({ trashed }) => trashed)),
        path_reveal: () => null,
        path_edit: () => null,
        editor_list: () => [{ title: "Visual Studio Code", command: "/usr/bin/code {path}" }],
        file_history: ({ path }) => history.of(path, disk.files.get(path) ?? ""),
        file_version: ({ path, of }) => history.text(path, of, disk.files.get(path) ?? ""),
        text_lines: (args) => asked(disk, "text_lines", args),
        text_check: (args) => asked(disk, "text_check", args),
        text_complete: (args) => asked(disk, "text_complete", args),
        text_fix: (args) => asked(disk, "text_fix", args),
        text_find: (args) => asked(disk, "text_find", args),
        lint_counts: (args) => asked(disk, "lint_counts", args),
        rule_list: (args) => asked(disk, "rule_list", args),
        rule_set: (args) => asked(disk, "rule_set", args),
        rule_profile: (args) => asked(disk, "rule_profile", args),
        rule_profile_set: (args) => asked(disk, "rule_profile_set", args),
        text_preview: (args) => asked(disk, "text_preview", args),
        text_merge: (args) => asked(disk, "text_merge", args),
        field_edit: (args) => asked(disk, "field_edit", args),
        harness_list: () => HARNESSES,
        project_choice: () => BEGIN,
        inspect: inspected,
        inspect_listed: (args) => listOf(inspected(args)),
        inspect_tokens: (args) => tokensOf(inspected(args)),
        inspect_sent: (args) => sentOf(inspected(args)),
        inspect_quirks: (args) => inspected(args).quirks,
        inspect_skill: ({ of, skill }) => {
            const found = inspected(of).skills.find((known) => known.id === skill);
            if (found === undefined) {
                throw new Error(`there is no skill ${skill}`);
            }
            return found;
        },
        inspect_request: (args) => {
            const { request, curl } = inspected(args);
            return { body: request, curl };
        },
        inspect_count: (args) => {
            const { tokens } = inspected(args.of);
            const { model, baseUrl } = models.entries.find((entry) => entry.id === args.model) ?? { model: args.model, baseUrl: "" };
            return {
                model: args.model,
                named: model,
                server: baseUrl === "" ? "" : new URL(baseUrl).host,
                request: tokens.instructions + tokens.tools + 8,
                prompt: 8,
                standIn: args.of.prompt === null,
                instructions: tokens.instructions,
                tools: tokens.tools,
                skills: tokens.tiers.instructions,
                files: tokens.tiers.resources,
                asked: 5,
            };
        },
        compare_table: (args) => tableOf(disk.open(args.unsaved), args),
        compare_tokens: (args) => inspectionsOf(disk.open(args.unsaved), args).map(({ tokens }) => tokens),
        compare_sent: (args) => inspectionsOf(disk.open(args.unsaved), args).map(sentOf),
        compare_skill: ({ of, skill }) => verdictsOf(disk.open(of.unsaved), of, skill),
        harness_options: (args) => asked(disk, "harness_options", args),
        option_edit: (args) => asked(disk, "option_edit", args),
        collisions: (args) => asked(disk, "collisions", args),
        skill_card: ({ skill }) => cardOf(skill),
        skill_card_text: ({ skill, format }) => `${format} of ${skill}`,
        skill_card_save: () => null,
        text_diff: (args) => asked(disk, "text_diff", args),
        model_list: () => models.list(),
        model_presets: (args) => asked(disk, "model_presets", args),
        model_offers: () => [],
        model_add: ({ entry, version: from }) => models.add(entry, from),
        model_update: ({ id, entry, version: from }) => models.update(id, entry, from),
        model_remove: ({ id, version: from }) => models.remove(id, from),
        model_address: (args) => asked(disk, "model_address", args),
        model_names: () => LISTED,
        model_test: ({ test, entry }) => models.test(test, entry, (check) => push({ type: "modelCheck", test, check })),
        model_test_stop: ({ test }) => {
            models.stop(test);
            return null;
        },
        key_state: ({ key }) => models.key(key),
        key_set: ({ name, secret }) => models.setKey(name, secret),
        key_delete: ({ name }) => models.setKey(name, null),
        screenplay_list: (args) => asked(SAMPLE, "screenplay_list", args),
        run_limits: (args) => asked(SAMPLE, "run_limits", args),
        run_start: start,
        run_continue: ({ run, prompt }) => {
            const id = run === BUNDLED_RUN.summary.id ? `run-${runs.size}` : run;
            const { summary, steps } = known(runs, run);
            if (summary.status === "running") {
                throw { code: "invalid", message: `run ${run} still goes on`, hint: "stop it first", path: null, why: null };
            }
            const detail: RunDetail = {
                summary: { ...summary, id, bundled: false, status: "running", error: null, endedAt: null, prompts: summary.prompts + 1 },
                steps: steps.filter((step) => step.kind.type !== "end" || step.kind.status !== "done"),
            };
            runs.set(id, detail);
            live.set(id, new LiveRun(detail, furtherSteps(prompt, detail.steps, summary.setup.harness), push));
            return id;
        },
        run_stop: ({ run }) => (live.get(run)?.end("stopped"), null),
        run_decide: ({ run, question, decision }) => (live.get(run)?.decide(question, decision), null),
        run_try: ({ run, question, arguments: args }) =>
            live.get(run)?.tryOut(question, args) ?? { type: "replies", text: "done", isError: false },
        // No run here has an answer that may be cut off.
        run_settle: () => null,
        rehearse: ({ of, prompt }) => of.map((choice) => start({ ...choice, prompt, model: "rehearsal" })),
        run_align: ({ runs: ids }) => {
            const aligned = ids.map((run) => known(runs, run));
            return { runs: aligned, rows: alignedRows(aligned) };
        },
        run_fork: ({ run, step, prompt }) => {
            const id = `run-${runs.size}`;
            const { summary, steps } = known(runs, run);
            const kept = steps.slice(0, step);
            const said = steps[step]?.kind;
            const says = prompt ?? (said?.type === "prompt" ? said.text : "Again.");
            const setup = { ...summary.setup, forked: { run, step } };
            const detail: RunDetail = {
                summary: { ...summary, id, setup, bundled: false, status: "running", error: null, endedAt: null },
                steps: kept,
            };
            runs.set(id, detail);
            live.set(id, new LiveRun(detail, furtherSteps(says, kept, summary.setup.harness), push));
            return id;
        },
        run_tree: ({ run }) => {
            const from = runs.get(run)?.summary.setup.forked;
            const one = (id: string, depth: number) => {
                const summary = runs.get(id)?.summary ?? null;
                return { run: id, depth, from: summary?.setup.forked ?? null, summary };
            };
            const forked = [...runs.values()].filter(({ summary }) => summary.setup.forked?.run === run);
            const depth = from === undefined ? 0 : 1;
            return {
                runs: [
                    ...(from === undefined ? [] : [one(from.run, 0)]),
                    one(run, depth),
                    ...forked.map(({ summary }) => one(summary.id, depth + 1)),
                ],
            };
        },
        run_index: (args) => indexOf([...runs.values()].map((detail) => detail.summary).reverse(), args),
        run_some: ({ runs: ids }) => ids.flatMap((id) => runs.get(id)?.summary ?? []),
        run_search: ({ query }) => searchIn(runs, query),
        run_review: ({ run }) => reviews.of(run),
        note_set: (args) => (known(runs, args.run), reviews.note(args)),
        verdict_set: (args) => {
            const detail = known(runs, args.run);
            detail.summary = { ...detail.summary, verdict: args.judged };
            return reviews.judge(args);
        },
        run_page: ({ run, from, most }) => {
            const { summary, steps } = known(runs, run);
            return { summary, all: steps.length, events: live.get(run)?.events ?? 0, steps: steps.slice(from, from + most) };
        },
        run_columns: ({ run, from, most }) => columnsOf(known(runs, run).steps, from, from + most),
        run_step: ({ run, step }) => {
            const found = known(runs, run).steps[step];
            if (found === undefined) {
                throw failure({ code: "notFound", message: `the run has no step ${String(step + 1)}`, hint: null, path: null, why: null });
            }
            return found;
        },
        run_pin: ({ run, pinned }) => {
            const detail = runs.get(run);
            if (detail !== undefined) {
                runs.set(run, { ...detail, summary: { ...detail.summary, pinned } });
            }
            return null;
        },
        run_prune: ({ retention, dryRun }) => {
            const { days } = retention ?? disk.settings.retention;
            const old = [...runs.values()].filter(({ summary }) => days !== null && summary.status !== "running" && !summary.bundled);
            const going = old.filter(({ summary }) => !summary.pinned);
            if (!dryRun) {
                going.forEach(({ summary }) => runs.delete(summary.id));
            }
            return {
                runs: going.map(({ summary: { id, setup, startedAt } }) => ({
                    run: id,
                    prompt: setup.prompt,
                    at: startedAt,
                    bytes: 1e6,
                    why: "old",
                })),
                bytes: runs.size * 1e6,
                freed: going.length * 1e6,
                reusable: 0,
                pinned: old.length - going.length,
                reviewed: 0,
            };
        },
        run_delete: ({ run }) => (runs.delete(run), null),
        run_save: () => null,
        run_export: ({ run }) => JSON.stringify(known(runs, run).summary),
        run_import: () => "run-2",
        run_import_file: () => ({
            runs: ["run-2"],
            format: "claude-code",
            unreadable: 0,
            unread: [],
            unreadCount: 0,
            unknown: [],
            keys: 0,
            stopped: false,
        }),
        run_import_stop: () => null,
        replay_private: () => [
            { kind: "home", text: "/home/ada", count: 4 },
            { kind: "email", text: "ada@example.org", count: 1 },
        ],
        replay_save: () => null,
        otlp_state: () => ({
            endpoint: "https://traces.example/otel",
            live: false,
            contents: false,
            skills: true,
            path: "/home/ada/.config/skill-workbench/models.yaml",
        }),
        push_private: ({ contents }) => (contents === true ? [{ kind: "email", text: "ada@example.org", count: 2 }] : []),
        run_push: ({ to }) => ({ url: `${to ?? "https://traces.example/otel"}/v1/traces`, spans: 8, rejected: 0, reason: null }),
        run_files: ({ run }) => (known(runs, run), FILES_OF_RUN),
        run_file: ({ path }) => fileOfRun(disk, path),
        run_files_save: ({ folder, paths, replace }) =>
            replace
                ? { saved: paths.map((path) => `${folder}/${path}`), existing: [], leftOut: [] }
                : { saved: [], existing: ["out/report.md"], leftOut: [] },
        run_check: ({ run, played }) => (known(runs, run), checkOf(run, played)),
        run_play_again: ({ run }) => start({ ...known(runs, run).summary.setup, model: `recorded:${run}` }),
        run_diff: ({ a, b }) => runDiff(a, b),
        run_eager: ({ run }) => (known(runs, run), eagerOf(run)),
        sample_run: () => {
            runs.set(BUNDLED_RUN.summary.id, structuredClone(BUNDLED_RUN));
            return BUNDLED_RUN.summary.id;
        },
        step_context: ({ run, step }) => contextAt(known(runs, run), step),
    };
}

function known(runs: Map<string, RunDetail>, run: string): RunDetail {
    const detail = runs.get(run);
    if (!detail) {
        throw failure({ code: "notFound", message: `there is no run ${run}`, hint: null, path: null, why: null });
    }
    return detail;
}

function subscribe<T>(set: Set<(value: T) => void>, listener: (value: T) => void): () => void {
    set.add(listener);
    return () => set.delete(listener);
}

/** As if it was recorded then. */
function yesterday({ summary, steps }: RunDetail): RunDetail {
    const startedAt = Date.now() - 86_400_000;
    const endedAt = summary.endedAt === null ? null : summary.endedAt - summary.startedAt + startedAt;
    return { summary: { ...summary, startedAt, endedAt }, steps: structuredClone(steps) };
}
