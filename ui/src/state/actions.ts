/** What the palette offers: places, skills, the files of the selected skill, and things to do. */
import { otherLocale, t } from "../i18n";
import { app, PLACES } from "./app.svelte";
import { editor } from "./editor.svelte";
import { fixes } from "./fixes.svelte";
import { lint } from "./lint.svelte";
import { models } from "./models.svelte";
import { join } from "./names";
import { retention } from "./retention.svelte";
import { skills } from "./skills.svelte";
import { approvals } from "./approvals.svelte";
import { trust } from "./trust.svelte";

export interface Action {
    id: string;
    label: string;
    /** Searched too, shown beside the label. */
    detail: string;
    /** As written in key bindings. */
    keys?: string;
    run: () => void;
}

export type ActionGroup = "places" | "skills" | "files" | "actions";

export function actionGroups(): { group: ActionGroup; actions: Action[] }[] {
    return [
        { group: "places", actions: places() },
        { group: "actions", actions: actions() },
        { group: "skills", actions: all() },
        { group: "files", actions: files() },
    ];
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

function actions(): Action[] {
    const active = editor.active;
    const other = otherLocale();
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
        ...(active ? [action("save", t("editor.save"), () => void editor.save(active), "Mod+S")] : []),
        ...(editor.dirty.length > 1 ? [action("saveAll", t("editor.saveAll"), () => void editor.saveAll())] : []),
        ...(active ? [action("fixAll", t("lint.fixAll"), () => void fixes.all(), "Alt+Shift+Enter")] : []),
        action("models", t("models.show"), () => void models.show()),
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
        action("larger", t("shell.zoomIn"), () => void app.zoom(1), "Mod+="),
        action("smaller", t("shell.zoomOut"), () => void app.zoom(-1), "Mod+-"),
        action("keys", t("shell.keys"), () => (app.helpOpen = true), "?"),
    ];
}

/** Selects a skill, unfolds it and opens its SKILL.md. */
export function openSkill(id: string): void {
    app.go("skills");
    skills.toggled.add(`skill:${id}`);
    void skills.select(id);
    void editor.open(join(id, "SKILL.md"));
}

/** The bundled run, at its first step. */
export function showSample(): void {
    app.sample = true;
    app.go("traces");
}
