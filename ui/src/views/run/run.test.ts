import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CutChoice, Decision, Effect, Enforcement, RunSummary, Standing, Step, Trial } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { indexOf } from "../../host/fake/run-index";
import { setLocale } from "../../i18n";
import { app } from "../../state/app.svelte";
import { launch } from "../../state/launch.svelte";
import { models } from "../../state/models.svelte";
import { pathChoice } from "../../state/path-choice.svelte";
import { startPushes } from "../../state/pushes";
import { runs } from "../../state/runs.svelte";
import { answer, call, step, summary, tool } from "../../trace/sample";
import ApprovalCard from "./ApprovalCard.svelte";
import Conversation from "./Conversation.svelte";
import RunPlace from "./RunPlace.svelte";

const asked: Effect = {
    type: "runScript",
    skill: "unit-converter",
    script: "scripts/convert.py",
    path: "/skills/unit-converter/scripts/convert.py",
    interpreter: "python3",
    arguments: ["--value", "1", "--note", "two words"],
    approval: true,
    workingDirectory: null,
};

const does = (effect: Effect): Trial => ({ type: "does", effect, leadsTo: null, enforcement: null });
/** Arguments that were edited do what was asked. */
const ontry = () => Promise.resolve(does(asked));

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    setLocale("en");
    runs.current = null;
    launch.reset();
    runs.list = null;
    app.place = "run";
});

describe("a run that has ended", () => {
    async function ended() {
        const stopListening = await startPushes();
        const run = await runs.start({ ...launch.request(), harness: "agentscope", model: "rehearsal", prompt: "hello" });
        render(RunPlace);
        await screen.findByTestId("open-trace");
        return { run, stopListening };
    }

    it("goes on with what the user says next, by the keys alone", async () => {
        const { run, stopListening } = await ended();
        const box = screen.getByTestId("go-on-box");
        expect(screen.getByTestId("go-on-button")).toHaveProperty("disabled", true);
        await fireEvent.input(box, { target: { value: "And a stone?" } });
        await fireEvent.keyDown(box, { key: "Enter", ctrlKey: true });
        await screen.findByTestId("stop-button");
        expect(screen.getAllByText("Stop")).toHaveLength(1);
        expect(box).toHaveProperty("disabled", true);
        const said = await waitFor(() => {
            const prompts = screen.getAllByTestId("conversation-item").filter((item) => item.dataset["kind"] === "prompt");
            expect(prompts).toHaveLength(2);
            return prompts[1];
        });
        expect(said?.textContent).toContain("User, turn 2");
        expect(said?.textContent).toContain("And a stone?");
        await screen.findByTestId("run-button");
        expect(box).toHaveProperty("value", "");
        const asked = fake.calls.find((call) => call.name === "run_continue");
        expect(asked?.args).toMatchObject({ run, model: null, prompt: "And a stone?", means: { turns: null }, roots: null });
        stopListening();
    });

    it("makes room for the next one, whatever it changed", async () => {
        const { run, stopListening } = await ended();
        await screen.findByTestId("changed-files");
        const next = await runs.start({ ...launch.request(), harness: "agentscope", model: "rehearsal", prompt: "again" });
        expect(next).not.toBe(run);
        expect((await screen.findByTestId("run-bar")).dataset["status"]).toBe("running");
        await waitFor(() => expect(screen.getByTestId("conversation").textContent).toContain("again"));
        stopListening();
    });

    it("offers pictures and limits in a low window only while somebody is at it", async () => {
        const { stopListening } = await ended();
        const form = screen.getByTestId("go-on");
        const isBegun = () => form.classList.contains("begun");
        const box = screen.getByTestId<HTMLTextAreaElement>("go-on-box");
        expect(isBegun()).toBe(false);
        await fireEvent.focusIn(box);
        expect(isBegun()).toBe(true);
        await fireEvent.focusOut(box, { relatedTarget: within(form).getByTestId("picture-add") });
        expect(isBegun()).toBe(true);
        await fireEvent.focusOut(box, { relatedTarget: screen.getByTestId("open-trace") });
        expect(isBegun()).toBe(false);
        await fireEvent.focusIn(box);
        await fireEvent.pointerDown(screen.getByTestId("conversation"));
        expect(isBegun()).toBe(false);
        await fireEvent.input(box, { target: { value: "And a stone?" } });
        await fireEvent.pointerDown(screen.getByTestId("conversation"));
        expect(isBegun()).toBe(true);
        stopListening();
    });

    it("keeps what was typed where it cannot go on", async () => {
        const { stopListening } = await ended();
        fake.on("run_continue", () => {
            throw { code: "invalid", message: "it goes on in another window", hint: null, path: null, why: null };
        });
        const box = screen.getByTestId("go-on-box");
        await fireEvent.input(box, { target: { value: "more" } });
        await fireEvent.click(screen.getByTestId("go-on-button"));
        await waitFor(() => expect(box).toHaveProperty("disabled", false));
        expect(box).toHaveProperty("value", "more");
        stopListening();
    });
});

function card(tries: (args: string) => Promise<Trial> = ontry) {
    const ondecide = vi.fn<(decision: Decision) => void>();
    render(ApprovalCard, {
        call: call("run_skill_script", '{"value":1}'),
        asked,
        leadsTo: null,
        enforcement: null,
        answered: false,
        ondecide,
        ontry: tries,
    });
    return ondecide;
}

/** A card allows nothing until it was there for a moment. */
async function readable(): Promise<void> {
    await waitFor(() => expect(screen.getByTestId("approve-once")).toHaveProperty("disabled", false));
}

it("runs the rehearsal, asks, and goes on when allowed", async () => {
    const stopListening = await startPushes();
    render(RunPlace);
    await fireEvent.click(await screen.findByTestId("run-button"));
    const card = await screen.findByTestId("approval-card");
    await readable();
    await fireEvent.keyDown(card, { key: "a" });
    await screen.findByTestId("open-trace");
    expect(fake.calls.find((made) => made.name === "run_decide")?.args).toMatchObject({
        decision: { type: "allow", arguments: null, forRun: false },
    });
    expect(screen.getByTestId("conversation").textContent).toContain("1 kg is about 2.20462 lb.");
    expect(screen.getByTestId("run-bar").textContent).toContain("rehearsal — no model was asked");
    stopListening();
});

describe("an answer that may be cut off", () => {
    const cut = (state: Step["state"], choice: CutChoice | null): Step => {
        const kind = answer("Half of it", [call("run_skill_script", "{}")]);
        const question = state === "waiting" ? 7 : null;
        return {
            ...step(1, 10, 20, kind.type === "answer" ? { ...kind, finish: { type: "perhapsCut" }, cut: choice } : kind),
            state,
            question,
        };
    };

    it("waits for the user, who keeps it, asks again or ends the run", async () => {
        const onsettle = vi.fn<(question: number, choice: CutChoice) => void>();
        render(Conversation, { steps: [cut("waiting", null)], isAnswered: () => false, ondecide: vi.fn(), ontry, onsettle });
        expect(screen.getByTestId("cut-card").textContent).toContain("If you keep it, it asks for: run_skill_script");
        await fireEvent.click(screen.getByTestId("cut-keep"));
        expect(onsettle.mock.calls).toEqual([]);
        await waitFor(() => expect(screen.getByTestId("cut-keep")).toHaveProperty("disabled", false));
        for (const button of ["cut-keep", "cut-ask-again", "cut-end"]) {
            await fireEvent.click(screen.getByTestId(button));
        }
        expect(onsettle.mock.calls).toEqual([
            [7, "keep"],
            [7, "askAgain"],
            [7, "end"],
        ]);
    });

    it("says afterwards what became of it", () => {
        render(Conversation, { steps: [cut("done", "keep")], isAnswered: () => false, ondecide: vi.fn(), ontry, onsettle: vi.fn() });
        expect(screen.queryByTestId("cut-card")).toBeNull();
        expect(screen.getByTestId("answer-cut").textContent).toBe("This answer may be cut off. You kept it.");
    });

    it("is settled once", async () => {
        await Promise.all([runs.settle("r", 7, "askAgain"), runs.settle("r", 7, "keep")]);
        const settled = fake.calls.filter((made) => made.name === "run_settle").map((made) => made.args);
        expect(settled).toEqual([{ run: "r", question: 7, choice: "askAgain" }]);
        expect([runs.isAnswered("r", 7), runs.isAnswered("r", 8)]).toEqual([true, false]);
    });
});

it("draws the last steps of a long run, each with all of its text, and earlier ones when asked", async () => {
    const steps = Array.from({ length: 450 }, (_, at): Step => ({ ...step(at, at, 20, answer(`${at}…`, [])), brief: true }));
    const asked = new Set<number>();
    const whole = (brief: Step): Step => {
        asked.add(brief.index);
        return { ...brief, kind: answer(`all of ${brief.index}`, []) };
    };
    render(Conversation, { steps, whole, isAnswered: () => false, ondecide: vi.fn(), ontry, onsettle: vi.fn() });
    const items = () => screen.getAllByTestId("conversation-item").map((item) => item.textContent.match(/all of \d+/)?.[0]);
    expect([items().length, items()[0], asked.size]).toEqual([200, "all of 250", 200]);
    expect(screen.getByTestId("show-earlier").textContent).toContain("Show 200 of 250 earlier steps");
    await fireEvent.click(screen.getByTestId("show-earlier"));
    await waitFor(() => expect(items()[0]).toBe("all of 50"));
    await fireEvent.click(screen.getByTestId("show-earlier"));
    await waitFor(() => expect(items().length).toBe(450));
    expect(screen.queryByTestId("show-earlier")).toBeNull();
});

it("says what to do where a model has no key", async () => {
    render(RunPlace);
    await fireEvent.change(await screen.findByTestId("run-model"), { target: { value: "gpt" } });
    const help = screen.getByTestId("model-not-ready").textContent;
    expect(help).toContain("gpt has no key");
    expect(help).toContain("OPENAI_API_KEY");
    expect(screen.getByText("gpt · gpt-4o-mini (not ready)")).toBeTruthy();
    expect(screen.getByTestId("run-button").hasAttribute("disabled")).toBe(true);
    await fireEvent.click(screen.getByTestId("model-set-up"));
    await waitFor(() => expect(models.picked).toEqual({ type: "model", id: "gpt" }));
    expect(models.open).toBe(true);
    models.open = false;
});

describe("limits", () => {
    const type = (limit: string, value: string) => fireEvent.input(screen.getByTestId(`run-limit-${limit}`), { target: { value } });

    it("are sent with the run, and told while their fields are folded away", async () => {
        render(RunPlace);
        await fireEvent.change(await screen.findByTestId("run-model"), { target: { value: "local" } });
        const empty = (limit: string) => screen.getByTestId(`run-limit-${limit}`).getAttribute("placeholder");
        expect(["turns", "seconds"].map(empty)).toEqual(["40, the project's", "no limit"]);
        await type("turns", "5");
        await type("tokens", "20000");
        expect(screen.getByTestId("run-limits-set").textContent).toBe("5 requests · 20,000 tokens");
        await fireEvent.click(screen.getByTestId("run-button"));
        await screen.findByTestId("run-bar");
        expect(fake.calls.find((made) => made.name === "run_start")?.args).toMatchObject({
            model: "local",
            means: { turns: 5, tokens: 20_000, seconds: null, cost: null },
        });
        await waitFor(() => expect(screen.getByTestId("run-bar").textContent).toContain("of 20,000"));
        expect(screen.getByTestId("run-bar").textContent).toContain("of 5");
    });

    it("start nothing while one cannot be kept, and say why", async () => {
        render(RunPlace);
        await fireEvent.change(await screen.findByTestId("run-model"), { target: { value: "local" } });
        await type("cost", "0.5");
        expect(screen.getByTestId("run-limits").textContent).toContain("This model has no prices");
        expect(screen.getByTestId("run-limits")).toHaveProperty("open", true);
        expect(screen.getByTestId("run-button")).toHaveProperty("disabled", true);
        await fireEvent.change(screen.getByTestId("run-model"), { target: { value: "rehearsal" } });
        expect(screen.queryByTestId("run-limit-cost")).toBeNull();
        expect(screen.getByTestId("run-button")).toHaveProperty("disabled", false);
    });
});

it("offers the last runs as models, each with its prompt", async () => {
    render(RunPlace);
    const offered = await screen.findByText(/^把 5 英里换算成公里，并说明换算系数的来源。 · rehearsal · /);
    await fireEvent.change(screen.getByTestId("run-model"), { target: { value: offered.getAttribute("value") } });
    expect(screen.getByTestId("prompt-box")).toHaveProperty("value", "把 5 英里换算成公里，并说明换算系数的来源。");
    expect(screen.getByTestId("recorded-label").textContent).toContain("no model is asked");
    await fireEvent.click(screen.getByTestId("run-button"));
    await screen.findByTestId("run-bar");
    expect(fake.calls.find((made) => made.name === "run_start")?.args).toMatchObject({ model: "recorded:run-2" });
    await waitFor(() => expect(screen.getByTestId("run-bar").textContent).toContain("recorded — no model was asked"));
});

it("shows all of what would run, and puts the focus on deny", () => {
    card();
    expect(screen.getByTestId("approval-effect").textContent).toContain('--value 1 --note "two words"');
    expect(document.activeElement).toBe(screen.getByTestId("approve-deny"));
});

it("allows nothing that was typed before the card could be read", async () => {
    const ondecide = card();
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "s" });
    await fireEvent.click(screen.getByTestId("approve-once"));
    expect(ondecide.mock.calls).toEqual([]);
    await readable();
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "s" });
    expect(ondecide.mock.calls).toEqual([[{ type: "allow", arguments: null, forRun: true }]]);
});

describe("one answer answers one question", () => {
    /** A call that waits with this question. */
    const waits = (question: number): Step => {
        const kind = tool(call("run_skill_script", "{}"), { type: "none" }, null);
        return { ...step(1, 0, 0, kind.type === "tool" ? { ...kind, asked } : kind), state: "waiting", question };
    };

    it("also if the same call asks again at once", async () => {
        const answered = new Set<number>();
        const ondecide = vi.fn<(question: number, decision: Decision) => void>((question) => void answered.add(question));
        const given = { isAnswered: (question: number) => answered.has(question), ondecide, ontry, onsettle: vi.fn() };
        const { rerender } = render(Conversation, { steps: [waits(5)], ...given });
        await readable();
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
        await rerender({ steps: [waits(9)], ...given });
        expect(screen.getByTestId("approve-once")).toHaveProperty("disabled", true);
        for (const key of ["a", "s", "d"]) {
            await fireEvent.keyDown(screen.getByTestId("approval-card"), { key });
        }
        await fireEvent.click(screen.getByTestId("approve-once"));
        await fireEvent.click(screen.getByTestId("approve-deny"));
        expect(ondecide.mock.calls.map(([question]) => question)).toEqual([5]);
        await readable();
        await fireEvent.click(screen.getByTestId("approve-once"));
        expect(ondecide.mock.calls.map(([question]) => question)).toEqual([5, 9]);
    });

    it("and nothing is sent twice, nor anything left disabled that was refused", async () => {
        const allow: Decision = { type: "allow", arguments: null, forRun: false };
        await Promise.all([runs.decide("twice", 5, allow), runs.decide("twice", 5, allow)]);
        expect(fake.calls.filter((made) => made.name === "run_decide")).toHaveLength(1);
        fake.on("run_decide", () => {
            throw { code: "notFound", message: "question 6 is not open", hint: null, path: null, why: null };
        });
        await expect(runs.decide("twice", 6, allow)).rejects.toMatchObject({ code: "notFound" });
        expect([runs.isAnswered("twice", 5), runs.isAnswered("twice", 6)]).toEqual([true, false]);
    });

    it("and a card that was answered takes nothing more", async () => {
        const ondecide = vi.fn<(decision: Decision) => void>();
        const given = { call: call("run_skill_script", "{}"), asked, leadsTo: null, enforcement: null, ondecide, ontry };
        const { rerender } = render(ApprovalCard, { ...given, answered: false });
        await readable();
        await rerender({ ...given, answered: true });
        for (const button of ["approve-once", "approve-run", "approve-deny", "approve-stub"]) {
            expect(screen.getByTestId(button)).toHaveProperty("disabled", true);
        }
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "d" });
        expect(ondecide.mock.calls).toEqual([]);
    });
});

it("says where a link leads, how long a command is, and what an answer for the run would allow", () => {
    const command = `rm -rf ~${"\n".repeat(300)}echo${" ".repeat(500)}done`;
    const shell: Effect = { type: "shell", command, workingDirectory: null, timeout: null };
    render(ApprovalCard, {
        call: call("bash", "{}"),
        asked: shell,
        leadsTo: "/home/me/private",
        enforcement: null,
        answered: false,
        ondecide: vi.fn(),
        ontry,
    });
    const shown = screen.getByTestId("approval-effect").textContent;
    expect(shown).toContain("⋮ 299 empty lines");
    expect(shown).toContain("⋯500 spaces⋯ done");
    expect(shown).toContain("301 lines");
    expect(shown).toContain("/home/me/private");
    expect(screen.getByTestId("approval-scope").textContent).toContain("exactly this command");
});

it("allows nothing while the arguments are broken, and says where", async () => {
    const ondecide = card();
    await fireEvent.input(screen.getByTestId("approval-arguments"), { target: { value: '{"value": }' } });
    expect(screen.getByTestId("approval-mistake").textContent).toContain("column 11");
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
    expect(screen.getByTestId("approve-once").hasAttribute("disabled")).toBe(true);
    expect(ondecide.mock.calls).toEqual([]);
});

it("lets letters be letters in its fields", async () => {
    const ondecide = card();
    await fireEvent.keyDown(screen.getByTestId("approval-reason"), { key: "a" });
    await fireEvent.keyDown(screen.getByTestId("approval-arguments"), { key: "d" });
    expect(ondecide.mock.calls).toEqual([]);
});

describe("edited arguments", () => {
    const type = (value: string) => fireEvent.input(screen.getByTestId("approval-arguments"), { target: { value } });
    const outlook = () => screen.getByTestId("approval-outlook");
    const given = (args: string): Effect => ({ ...asked, arguments: [args] });

    /** Answers each trial when the test says so. */
    function waiting() {
        const trials = new Map<string, (trial: Trial) => void>();
        const tries = vi.fn((args: string) => new Promise<Trial>((resolve) => void trials.set(args, resolve)));
        return { trials, tries, ondecide: card(tries) };
    }

    it("show what they would do before they can be allowed, whatever answer comes last", async () => {
        const { trials, tries, ondecide } = waiting();
        await readable();
        expect([outlook().dataset["stale"], tries.mock.calls.length]).toEqual(["false", 0]);
        const [first, second] = ['{"value": 2}', '{"value": 3}'];
        await type(first);
        expect(outlook().dataset["stale"]).toBe("true");
        await waitFor(() => expect(trials.has(first)).toBe(true));
        await type(second);
        await waitFor(() => expect(trials.has(second)).toBe(true));
        expect(screen.getByTestId("approve-once")).toHaveProperty("disabled", true);
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
        expect(ondecide.mock.calls).toEqual([]);
        trials.get(second)?.(does(given("three")));
        await waitFor(() => expect(outlook().textContent).toContain("three"));
        trials.get(first)?.(does(given("two")));
        await Promise.resolve();
        expect([outlook().textContent.includes("two words"), outlook().dataset["stale"]]).toEqual([false, "false"]);
        expect(outlook().textContent).toContain("three");
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
        expect(ondecide.mock.calls).toEqual([[{ type: "allow", arguments: second, forRun: false }]]);
    });

    it("are looked at once the keys rest, and not if they are no object", async () => {
        const { tries } = waiting();
        await type('{"value": ');
        expect([outlook().dataset["stale"], screen.getByTestId("approval-mistake").textContent]).toEqual([
            "true",
            "Line 1, column 11: the JSON ends too early",
        ]);
        await type('{"value": 2');
        await type('{"value": 22}');
        await waitFor(() => expect(tries.mock.calls).toEqual([['{"value": 22}']]));
    });

    it("that only make the framework reply, or are refused, say so with what they would have done gone", async () => {
        const { trials } = waiting();
        await type('{"skillName": "tea"}');
        await waitFor(() => expect(trials.size).toBe(1));
        trials.get('{"skillName": "tea"}')?.({ type: "replies", text: "Error: Skill 'tea' not found.", isError: true });
        expect((await screen.findByTestId("approval-reply")).textContent).toContain("Error: Skill 'tea' not found.");
        expect(screen.queryByTestId("approval-effect")).toBeNull();
        expect(screen.queryByTestId("approval-scope")).toBeNull();
        await type("{}");
        await waitFor(() => expect(trials.size).toBe(2));
        trials.get("{}")?.({ type: "refused", why: { en: "you said that this never runs", zh: "永不运行" } });
        expect((await screen.findByTestId("approval-refused")).textContent).toContain("you said that this never runs");
    });

    it.each([
        ["en", "the edited arguments have 1025 KiB Shorten them"],
        ["zh-CN", "修改后的参数有 1025 KiB 请缩短"],
    ] as const)("that cannot be looked at say why, and are not allowed: %s", async (locale, said) => {
        const [message, messageZh] = ["the edited arguments have 1025 KiB", "修改后的参数有 1025 KiB"];
        const refused = { code: "invalid", message, messageZh, hint: "Shorten them", hintZh: "请缩短", path: null, why: null };
        setLocale(locale);
        const ondecide = card(() => Promise.reject(refused));
        await readable();
        await type('{"value": 2}');
        expect((await screen.findByTestId("approval-untried")).textContent.trim()).toBe(said);
        await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
        expect(ondecide.mock.calls).toEqual([]);
    });

    it("of a call that asks again are what is in its card", () => {
        const kind = tool(call("run_skill_script", '{"value":1}'), { type: "none" }, null);
        const decision: Decision = { type: "allow", arguments: '{"value":7}', forRun: false };
        const again: Step = { ...step(1, 0, 0, kind.type === "tool" ? { ...kind, asked, decision } : kind), state: "waiting", question: 9 };
        render(Conversation, { steps: [again], isAnswered: () => false, ondecide: vi.fn(), ontry, onsettle: vi.fn() });
        expect(screen.getByTestId("approval-arguments")).toHaveProperty("value", '{\n  "value": 7\n}');
    });
});

it("denies with a reason and stubs a result", async () => {
    const ondecide = card();
    await readable();
    await fireEvent.input(screen.getByTestId("approval-reason"), { target: { value: "not on this machine" } });
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "d" });
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "t" });
    await fireEvent.input(screen.getByTestId("approval-stub-text"), { target: { value: "2.2" } });
    await fireEvent.click(screen.getByTestId("approve-stub-send"));
    expect(ondecide.mock.calls).toEqual([[{ type: "deny", reason: "not on this machine" }], [{ type: "stub", text: "2.2" }]]);
});

it("does not take the focus from someone who types", () => {
    const prompt = document.body.appendChild(document.createElement("textarea"));
    prompt.focus();
    card();
    expect(document.activeElement).toBe(prompt);
    prompt.remove();
});

const HELD: Enforcement = { layer: "bubblewrap", inForce: [], missing: [], reason: null, interpreter: null };

describe("an answer that holds longer than the run", () => {
    function offered(enforcement: Enforcement | null, skills: string[] = ["unit-converter"]) {
        const ondecide = vi.fn<(decision: Decision, remember?: Standing) => void>();
        const given = { call: call("run_skill_script", '{"value":1}'), asked, leadsTo: null, answered: false, ondecide, ontry };
        render(ApprovalCard, { ...given, enforcement, skills });
        return ondecide;
    }

    it.each([
        ["a sandbox holds whole", HELD],
        ["nothing but the rules inside of it is missing", { ...HELD, missing: ["rules" as const] }],
    ])("is offered where %s", async (_, enforcement) => {
        const ondecide = offered(enforcement);
        await readable();
        await fireEvent.click(screen.getByTestId("approve-always"));
        expect(ondecide.mock.calls).toEqual([[{ type: "allow", arguments: null, forRun: false }, "sandbox"]]);
    });

    it.each([
        ["without a sandbox", null],
        ["with the network", { ...HELD, missing: ["network" as const] }],
    ])("may only be never %s", async (_, enforcement) => {
        const ondecide = offered(enforcement);
        await readable();
        expect(screen.queryByTestId("approve-always")).toBeNull();
        await fireEvent.click(screen.getByTestId("approve-never"));
        expect(ondecide.mock.calls).toEqual([[{ type: "deny", reason: null }, "never"]]);
    });

    it("is not offered for edited arguments, nor for what belongs to no skill", async () => {
        offered(HELD);
        await fireEvent.input(screen.getByTestId("approval-arguments"), { target: { value: '{"value": 2}' } });
        expect(screen.queryByTestId("approve-always")).toBeNull();
        offered(HELD, []);
        expect(screen.getAllByTestId("approve-never")).toHaveLength(1);
    });
});

describe("the sandbox of a run", () => {
    it("is chosen in the form, says what comes of it, and goes with the request", async () => {
        fake.on("sandbox_state", () => ({
            layer: null,
            reason: { en: "bubblewrap is not installed", zh: "没有安装 bubblewrap" },
            mode: "prefer",
            folderMb: 64,
            venv: null,
            neutralPaths: false,
            notNeutral: { en: "only bubblewrap shows folders at neutral ones", zh: "只有 bubblewrap" },
        }));
        render(RunPlace);
        await waitFor(() => expect(screen.getByTestId("run-sandbox-comes").dataset["comes"]).toBe("open"));
        expect(screen.getByTestId("run-sandbox-why").textContent).toContain("bubblewrap is not installed");
        expect(screen.getByTestId("run-quota").textContent).toContain("64 MiB");
        await fireEvent.change(screen.getByTestId("run-sandbox-mode"), { target: { value: "require" } });
        expect(screen.getByTestId("run-sandbox-comes").dataset["comes"]).toBe("refused");
        await fireEvent.click(screen.getByTestId("run-network"));
        expect(launch.request()).toMatchObject({ neutralPaths: null });
        expect(launch.request().means).toMatchObject({ sandbox: "require", network: true, fidelity: null, askAll: false });
        expect(screen.getByTestId("run-fidelity-says").textContent).toContain("refused");
        await fireEvent.click(screen.getByTestId("run-fidelity"));
        expect(launch.request()).toMatchObject({ means: { fidelity: true } });
        expect(screen.getByTestId("run-fidelity-says").textContent).toContain("Keys");
        expect(screen.getByTestId("run-sandbox-comes").textContent).toContain("Read as the framework does");
        await fireEvent.click(screen.getByTestId("run-fidelity"));
        expect(launch.request()).toMatchObject({ means: { fidelity: false } });
        expect(screen.getByTestId("run-neutral-says").textContent).not.toContain("only bubblewrap");
        await fireEvent.click(screen.getByTestId("run-neutral"));
        expect(screen.getByTestId("run-neutral-says").textContent).toContain("only bubblewrap");
        expect(launch.request()).toMatchObject({ neutralPaths: true });
        pathChoice.neutral = null;
    });
});

it("finds older runs whose answers can be given, too", async () => {
    const others = Array.from({ length: 40 }, (_, at) => {
        const run = summary({ id: `run-${at}` });
        return { ...run, setup: { ...run.setup, prompt: at === 39 ? "How far is Köln?" : `Question ${at}` } };
    });
    const answers = others.map((run): RunSummary => ({ ...run, status: "done", spent: { ...run.spent, output: 7 } }));
    fake.on("run_index", (args) => indexOf(answers, args));
    fake.on("run_some", ({ runs }) => answers.filter((run) => runs.includes(run.id)));
    render(RunPlace);
    await screen.findByText(/^Question 11 · /);
    expect(screen.queryByText(/^Question 12 · /)).toBeNull();
    await fireEvent.change(screen.getByTestId("run-model"), { target: { value: "another" } });
    await fireEvent.input(await screen.findByTestId("run-filter"), { target: { value: "köln" } });
    await waitFor(() => expect(screen.getAllByTestId("run-choice").map((choice) => choice.dataset["run"])).toEqual(["run-39"]));
    await fireEvent.click(screen.getByTestId("run-choice"));
    await waitFor(() => expect(screen.queryByTestId("run-choice")).toBeNull());
    expect(screen.getByTestId("prompt-box")).toHaveProperty("value", "How far is Köln?");
    expect(screen.getByTestId("run-model")).toHaveProperty("value", "recorded:run-39");
    await fireEvent.click(screen.getByTestId("run-button"));
    await waitFor(() => expect(fake.calls.find((made) => made.name === "run_start")?.args).toMatchObject({ model: "recorded:run-39" }));
});
