/** What the palette offers: places, skills, the files of the selected skill, and things to do. */
import type { RunSummary, Step } from "../generated/api";
import { formatMoment, inLocale, otherLocale, t } from "../i18n";
import { app, PLACES, type Place } from "./app.svelte";
import { collisions } from "./collisions.svelte";
import { deleted } from "./deleted.svelte";
import { editor } from "./editor.svelte";
import { extract } from "./extract.svelte";
import { find } from "./find.svelte";
import { fixes } from "./fixes.svelte";
import { forks } from "./fork.svelte";
import { history } from "./history.svelte";
import { harnesses, setupName } from "./harnesses.svelte";
import { launch } from "./launch.svelte";
import { inspect } from "./inspect.svelte";
import { lint } from "./lint.svelte";
import { models } from "./models.svelte";
import { join } from "./names";
import type { OpenFile } from "./open-file.svelte";
import { outside } from "./outside.svelte";
import { packages } from "./packages.svelte";
import { pairing } from "./pair.svelte";
import { retention } from "./retention.svelte";
import { runs } from "./runs.svelte";
import { skillChoice } from "./skill-choice.svelte";
import { skills } from "./skills.svelte";
import { approvals } from "./approvals.svelte";
import { toasts } from "./toasts.svelte";
import { trust } from "./trust.svelte";

export interface Action {
    id: string;
    label: string;
    /** Searched too, shown next to the label. */
    detail: string;
    /** As written in key bindings. */
    keys?: string;
    run: () => void;
}

export type ActionGroup = "places" | "skills" | "files" | "actions" | "scenes" | "runs" | "rules";

export function actionGroups(): { group: ActionGroup; actions: Action[] }[] {
    return [
        { group: "places", actions: places() },
        { group: "actions", actions: actions() },
        { group: "skills", actions: all() },
        { group: "files", actions: files() },
        { group: "scenes", actions: scenes() },
        { group: "runs", actions: recorded() },
        { group: "rules", actions: rules() },
    ];
}

/** Fetches data for actions that is not loaded yet. */
export function loadActions(): void {
    void (runs.list === null && runs.load());
    void (launch.models === null && launch.load());
    void lint.loadRules();
    void toasts.guard(() => harnesses.load());
}

function places(): Action[] {
    return PLACES.map((place, index) => ({
        id: `place:${place}`,
        label: t(`shell.places.${place}`),
        detail: "",
        keys: `Mod+${index + 1}`,
        run: () => app.go(place),
    }));
}

function all(): Action[] {
    return (skills.list?.skills ?? []).map((skill) => ({
        id: `skill:${skill.id}`,
        label: skill.name,
        detail: skill.relative === skill.name ? "" : skill.relative,
        run: () => openSkill(skill.id),
    }));
}

function files(): Action[] {
    const detail = skills.selected === null ? null : skills.detail(skills.selected);
    return (detail?.files ?? [])
        .filter((file) => file.text)
        .map((file) => ({
            id: `file:${file.path}`,
            label: file.name,
            detail: "",
            run: () => {
                app.go("skills");
                void editor.open(file.path);
            },
        }));
}

/** A scene is chosen, and waits for its start. */
function scenes(): Action[] {
    return launch.scenes.map(({ path, name, screenplay }) => ({
        id: `scene:${path}`,
        label: screenplay.title ?? name,
        detail: screenplay.prompt,
        run: () => {
            launch.play(path);
            app.go("run");
        },
    }));
}

/** The newest runs; `opens` is for those that were found among the others. */
function recorded(): Action[] {
    return (runs.list ?? []).map(opens);
}

export function opens(run: RunSummary): Action {
    return {
        id: `run:${run.id}`,
        label: run.setup.prompt,
        // There may be thousands; it is worded when it is seen or searched.
        get detail() {
            return `${setupName(run.setup)} · ${formatMoment(run.startedAt)}`;
        },
        run: () => {
            app.go("traces");
            void runs.trace(run.id);
        },
    };
}

function rules(): Action[] {
    return (lint.rules ?? []).map((rule) => ({
        id: `rule:${rule.id}`,
        label: inLocale(rule.title, rule.titleZh),
        detail: rule.id,
        run: () => lint.open(rule.id),
    }));
}

function actions(): Action[] {
    const active = editor.active;
    const other = otherLocale();
    const skill = skills.summary;
    const here = app.place === "traces" ? stepHere() : null;
    const action = (id: string, label: string, run: () => void, keys?: string): Action => ({
        id: `action:${id}`,
        label,
        detail: "",
        run,
        ...(keys === undefined ? {} : { keys }),
    });
    return [
        action("new", t("skills.new"), () => (skills.newOpen = true), "Mod+N"),
        action("open", t("skills.openFolder"), () => void skills.pickAndOpen(t("skills.pickFolder")), "Mod+O"),
        action("packageOpen", t("package.open"), () => void packages.pick(t("package.pick"))),
        ...(active ? [action("save", t("editor.save"), () => void editor.save(active), "Mod+S")] : []),
        ...(editor.dirty.length > 1 ? [action("saveAll", t("editor.saveAll"), () => void editor.saveAll())] : []),
        ...(active ? [action("history", t("history.of", { name: active.name }), () => openHistory(active), "Mod+Shift+H")] : []),
        ...(active?.isMarkdown ? [action("extract", t("extract.show"), () => extract.ask(), "Mod+Shift+E")] : []),
        ...(active ? [action("fixAll", t("lint.fixAll"), () => void fixes.all(), "Alt+Shift+Enter")] : []),
        ...(skill
            ? [
                  action("runOnly", t("skills.runNamed", { name: skill.name }), () => useOnly(skill.name, "run")),
                  action("inspectOnly", t("skills.inspectNamed", { name: skill.name }), () => useOnly(skill.name, "inspect")),
              ]
            : []),
        ...(active
            ? [
                  action("reveal", t("outside.reveal"), () => void outside.reveal(active.path)),
                  action("edit", t("outside.edit"), () => void outside.edit(active.path)),
              ]
            : []),
        action("outside", t("outside.show"), () => void outside.choose()),
        ...(skillChoice.out.length > 0 ? [action("useAll", t("skills.useAll"), () => skillChoice.all())] : []),
        ...(here === null ? [] : [action("fork", t("fork.open"), () => forks.ask(here.run, here.step), "r")]),
        action("find", t("find.show"), () => find.show(), "Mod+Shift+F"),
        action("collisions", t("collisions.show"), () => void collisions.show()),
        ...(app.place === "inspect" && inspect.chosenCounter !== null
            ? [action("count", t("inspect.count"), () => void inspect.count())]
            : []),
        action("models", t("models.show"), () => void models.show()),
        action("deleted", t("deleted.show"), () => void deleted.show()),
        action("trust", t("trust.show"), () => void trust.show()),
        action("approvals", t("approvals.show"), () => void approvals.show()),
        action("retention", t("retention.show"), () => void retention.show()),
        action("rules", t("rules.show"), () => lint.open()),
        action("sample", t("skills.trySample"), showSample),
        action("language", t("shell.switchLanguage"), () => void app.setLanguage(other)),
        action("light", t("shell.theme.light"), () => void app.setTheme("light")),
        action("dark", t("shell.theme.dark"), () => void app.setTheme("dark")),
        action("contrast", t("shell.theme.contrast"), () => void app.setTheme("contrast")),
        action("system", t("shell.theme.system"), () => void app.setTheme("system")),
        ...app.tokenizers
            .filter((tokenizer) => tokenizer !== app.settings.tokenizer)
            .map((name) => action(`tokenizer:${name}`, t("shell.countWith", { name }), () => void app.setTokenizer(name))),
        action("larger", t("shell.zoomIn"), () => void app.zoom(1), "Mod+="),
        action("smaller", t("shell.zoomOut"), () => void app.zoom(-1), "Mod+-"),
        action("keys", t("shell.keys"), () => (app.helpOpen = true), "?"),
    ];
}

/** The step of a run that is open. */
function stepHere(): { run: RunSummary; step: Step } | null {
    const { walk } = runs;
    const detail = walk === null || pairing.shown !== null ? null : runs.detail(walk.run);
    const step = detail?.steps.at(walk?.position ?? 0);
    return detail === null || step === undefined ? null : { run: detail.summary, step };
}

/** Selects a skill, unfolds it and opens its SKILL.md. */
export function openSkill(id: string): void {
    app.go("skills");
    skills.toggled.add(`skill:${id}`);
    void skills.select(id);
    void editor.open(join(id, "SKILL.md"));
}

function openHistory(file: OpenFile): void {
    app.go("skills");
    void history.open(file);
}

/** Goes to a place with this skill alone. */
export function useOnly(name: string, place: Place): void {
    skillChoice.only(name);
    app.go(place);
}

/** The bundled run, at its first step. */
export function showSample(): void {
    app.sample = true;
    app.go("traces");
}
