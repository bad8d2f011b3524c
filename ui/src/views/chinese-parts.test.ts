/** Small parts of views in Chinese, with each value that they can show. */
import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Applicability, CardSeen, CataloguePlace, Group, Origin, RuleDto, Setting, Severity, Worded } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { setLocale } from "../i18n";
import { forks, ForkDraft } from "../state/fork.svelte";
import { lint } from "../state/lint.svelte";
import { skills } from "../state/skills.svelte";
import { found, lookAt, settled, look, speakChinese, type } from "../test-chinese";
import { answered, call, called, step, summary } from "../trace/sample";
import type { OriginKind } from "../trace/segments";
import SkillCardDialog from "./editor/SkillCardDialog.svelte";
import Places from "./harness/Places.svelte";
import RulesView from "./lint/RulesView.svelte";
import ForkDialog from "./run/ForkDialog.svelte";
import OriginLegend from "./trace/text/OriginLegend.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = speakChinese();
});
afterEach(() => {
    cleanup();
    forks.draft = lint.view = null;
    setLocale("en");
});

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }>[] };

const SKILL = "/技能/换算";

const PLACES: Each<CataloguePlace> = {
    instructions: [{ type: "instructions" }],
    developerMessage: [{ type: "developerMessage" }],
    firstMessage: [{ type: "firstMessage" }],
    toolDescription: [{ type: "toolDescription", tool: "skill" }],
    toolParameter: [{ type: "toolParameter", tool: "skill" }],
};

it("has no English in where a catalogue is", async () => {
    await lookAt("places", Places, { places: Object.values(PLACES).flat() });
    await lookAt("no place", Places, { places: [] });
    expect(found()).toEqual({});
});

const ORIGINS: Each<Origin> = {
    framework: [{ type: "framework" }],
    skill: [{ type: "skill", skill: SKILL, field: "description" }],
    user: [{ type: "user" }],
    tool: [{ type: "tool", tool: "convert" }],
    withheld: [null, 1200].map((characters) => ({ type: "withheld", client: "Codex", characters })),
};

const KINDS: Record<OriginKind, true> = { framework: true, skill: true, user: true, tool: true, withheld: true, unmarked: true };

it("has no English in what tells where a text is from", async () => {
    const kinds = Object.keys(KINDS).filter((kind): kind is OriginKind => kind in KINDS);
    for (const pointed of [null, ...Object.values(ORIGINS).flat()]) {
        await lookAt(pointed?.type ?? "none", OriginLegend, { kinds, dimmed: new Set<OriginKind>(), pointed, ontoggle: () => undefined });
    }
    expect(found()).toEqual({});
});

const SEEN: Record<CardSeen, true> = { listed: true, notListed: true, leftOut: true, unseen: true, refused: true };

it("has no English in the card of a skill, whoever sees what of it", async () => {
    const said: Worded[] = [
        { en: "the rest", zh: "其余" },
        { en: "the end", zh: "末尾" },
    ];
    const loads = { tool: "skill", instructions: 300, files: 2, resources: 90 };
    const card = await fake.call("skill_card", { skill: "/home/ada/work/skills/log-analyzer" });
    const [row] = card.rows;
    const rows = Object.keys(SEEN)
        .filter((seen): seen is CardSeen => seen in SEEN)
        .map((seen, at) => ({
            ...row!,
            harness: seen,
            seen,
            line: null,
            cut: said,
            asks: said,
            why: said,
            loads: { ...loads, tool: at === 0 ? null : "skill" },
        }));
    fake.on("skill_card", () => ({ ...card, rows }));
    await lookAt("a card", SkillCardDialog, { skill: SKILL, onclose: () => undefined });
    expect(screen.getAllByTestId("card-row").map((each) => each.dataset["seen"])).toEqual(Object.keys(SEEN));
    expect(found()).toEqual({});
});

const GROUPS: Record<Group, true> = {
    form: true,
    description: true,
    budget: true,
    instructions: true,
    links: true,
    scripts: true,
    security: true,
    clients: true,
    sets: true,
    evals: true,
};
const FIXES: Record<Applicability, true> = { safe: true, unsafe: true };
const SETTINGS: Record<Setting, true> = { off: true, info: true, warning: true, error: true };
const SEVERITIES: Record<Severity, true> = { info: true, warning: true, error: true };

it("has no English in rules of each group, weight and setting", async () => {
    const given = (await fake.call("rule_list", {}))[0]!;
    const fixes = [null, ...Object.keys(FIXES).filter((fix): fix is Applicability => fix in FIXES)];
    const settings = [null, ...Object.keys(SETTINGS).filter((setting): setting is Setting => setting in SETTINGS)];
    const severities = Object.keys(SEVERITIES).filter((severity): severity is Severity => severity in SEVERITIES);
    const rules = Object.keys(GROUPS)
        .filter((group): group is Group => group in GROUPS)
        .map((group, at): RuleDto => ({
            ...given,
            id: group,
            group,
            fix: fixes[at % fixes.length] ?? null,
            setting: settings[at % settings.length] ?? null,
            severity: severities[at % severities.length]!,
            on: at % 2 === 0,
        }));
    fake.on("rule_list", () => rules);
    for (const isOpen of [true, false]) {
        if (!isOpen) {
            fake.on("skill_list", () => ({ folders: [], skills: [], problems: [] }));
        }
        await skills.load();
        await lint.reloadRules();
        for (const { id } of rules) {
            lint.view = { rule: id };
            await lookAt(`a rule: ${id}`, RulesView, {});
            expect(screen.getByTestId("rule-card").dataset["rule"]).toBe(id);
        }
    }
    expect(found()).toEqual({});
});

it("has no English in what is changed at a step from which a run is done again", async () => {
    const steps = [
        step(0, 5, 5, { type: "prompt", text: "换算" }, null),
        step(1, 5, 5, answered({ calls: [call("convert", "{}")] }), null),
        step(2, 5, 5, called(call("convert", "{}"), { reply: "2.2" }), null),
        step(3, 0, 5, { type: "note", text: "the folder is gone", zh: "文件夹已不在", retried: null }, null),
    ];
    const changed: string[] = [];
    for (const of of steps) {
        const draft = new ForkDraft(summary(), of);
        for (const way of draft.ways) {
            draft.way = way;
            await lookAt(`${of.kind.type}, ${way}`, ForkDialog, { draft });
            if (screen.queryByTestId("fork-text") !== null) {
                await type("fork-text", "别的");
            }
            draft.images = [{ mediaType: "image/png", data: "iVBORw0KGgo=" }];
            draft.harness = { harness: "eino", variant: null };
            draft.screenplay = "/一.yaml";
            await settled();
            look(`${of.kind.type}, ${way}, changed`);
            draft.model = "rehearsal";
            await settled();
            look(`${of.kind.type}, ${way}, with another model`);
            changed.push(screen.getByTestId("fork-edited").textContent.trim());
        }
    }
    expect(changed).toEqual([
        "已改：提示词、提示词的图片、框架、模型、剧本",
        "已改：框架、模型、剧本",
        "已改：回答、框架、模型、剧本",
        "已改：你要说的话、框架、模型、剧本",
        "已改：框架、模型、剧本",
        "已改：结果、框架、模型、剧本",
        "已改：你要说的话、框架、模型、剧本",
        "已改：框架、模型、剧本",
        "已改：你要说的话、框架、模型、剧本",
    ]);
    expect(found()).toEqual({});
});
