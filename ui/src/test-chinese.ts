/** For tests: the whole window in Chinese, with a look for words in it that are not. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick, type Component } from "svelte";
import App from "./App.svelte";
import { setHost, type CommandName } from "./host";
import { fakeHost, type FakeHost } from "./host/fake";
import { isUnrecorded } from "./host/fake/failure";
import { setLocale } from "./i18n";
import { en } from "./i18n/en";
import { zhCn } from "./i18n/zh-CN";
import { app } from "./state/app.svelte";
import { editor } from "./state/editor.svelte";
import { pairing } from "./state/pair.svelte";
import { runs } from "./state/runs.svelte";
import { toasts } from "./state/toasts.svelte";
// What the window fetches when it is first shown is fetched here, so that no wait is for that.
import "./views/collisions/CollisionsView.svelte";
import "./views/compare/ComparePlace.svelte";
import "./views/editor/codemirror/text-view";
import "./views/find/FindView.svelte";
import "./views/history/HistoryView.svelte";
import "./views/inspect/InspectPlace.svelte";
import "./views/lint/RulesView.svelte";
import "./views/models/ModelsView.svelte";
import "./views/run/RunPlace.svelte";
import "./views/trace/TracePlace.svelte";

/** What is looked at: its name, what shows that it is there, and how a user gets to it. */
export type Sight = [name: string, testid: string, open: (fake: FakeHost) => unknown];

/** Keys are called as it is written on them; filters, commands and values are as they are typed. */
const KEYS = [
    "Ctrl",
    "Shift",
    "Alt",
    "Enter",
    "Home",
    "End",
    "Esc",
    "F1",
    "F4",
    "F8",
    "Space",
    "Page Up",
    "Page Down",
    "EN: Switch to English",
    "top_p",
    "http://localhost:4318",
    "az account get-access-token --query",
    "accessToken",
    "KB",
    "MB",
    "true",
    "false",
];

/** As in the names of buttons. */
const KEY_BEHIND = / \(\S+\)$/;

const FILTERS =
    "kind:tool status:error tool:… skill:… dur:>500ms cost:>0.01 tokens:>1000 harness:… model:… verdict:fail since:7d until:2026-01-31";

/** What may be read in any language: the Chinese catalogue, and what is said to the host and by it of skills, models and runs. */
const known: string[] = [...Object.values(zhCn), ...KEYS, FILTERS];

/** Words of skills, names of tools, and values of options. */
const OF_OTHERS = new Set(["Steps", "Extract", "Skill", "skill", "all", "none", "None", "sample", "scripts"]);

/** Names of English texts next to which there is a Chinese one, `zh`. */
const OF_ENGLISH = new Set(["en", "text", "error"]);

/** Texts of the English catalogue that are others in Chinese: a whole text is English even if the host has its words. */
const chinese: Readonly<Record<string, string>> = zhCn;
const ENGLISH = new Set<string>(Object.entries(en).flatMap(([key, text]) => (chinese[key] === text ? [] : [text])));

const WORDS = /\p{Script=Latin}[\p{Script=Latin}\d'’_.:/-]*(?: [\p{Script=Latin}\d'’_.:/(-][\p{Script=Latin}\d'’_.:/()-]*)*/gu;

/**
 * What the window asks again after each change of a text or a file, whatever a sight is about: if nothing is recorded of the change, the host
 * says what it said before.
 */
const ASKED_AGAIN: ReadonlySet<CommandName> = new Set<CommandName>([
    "compare_skill",
    "lint_counts",
    "model_list",
    "skill_get",
    "skill_list",
    "text_check",
]);

const UNREAD = ".cm-content, kbd, script, style, svg";

/** Texts of others, and what is not read at all. */
const FOREIGN = `${UNREAD}, code, pre`;

const SPOKEN = ["title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "alt"];

let english = new Map<string, string>();

/** All that was found since the window was opened, with where. */
export function found(): Record<string, string> {
    return Object.fromEntries(english);
}

/** Shows a part of the window alone, and looks at it. What it is given is known. */
export async function lookAt<Props extends Record<string, unknown>>(where: string, part: Component<Props>, props: Props): Promise<void> {
    cleanup();
    learn(props);
    render(part, props);
    await settled();
    look(where, UNREAD);
}

/**
 * For the window, and for parts that are shown without it: what the host says and is asked is known from here on. A question that has no
 * recorded answer is found like English: what is shown then is an error that no user sees.
 */
export function speakChinese(): FakeHost {
    english = new Map();
    const fake = fakeHost();
    const said = new Map<string, string>();
    const call: FakeHost["call"] = fake.call.bind(fake);
    fake.call = async (name, args) => {
        learn(args);
        const about = `${name} ${subjectOf(args)}`;
        try {
            const answer = await call(name, args);
            if (ASKED_AGAIN.has(name)) {
                said.set(about, JSON.stringify(answer));
            }
            learn(answer);
            return answer;
        } catch (thrown) {
            const before = said.get(about);
            if (isUnrecorded(thrown) && before !== undefined) {
                // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- the host said it to the same command
                return JSON.parse(before);
            }
            if (isUnrecorded(thrown)) {
                english.set(`no answer to ${name}`, JSON.stringify(args));
            }
            learn(thrown);
            throw thrown;
        }
    };
    const push: FakeHost["push"] = fake.push.bind(fake);
    fake.push = (update) => {
        learn(update);
        push(update);
    };
    setHost(fake);
    setLocale("zh-CN");
    return fake;
}

export async function openWindow(): Promise<FakeHost> {
    const fake = speakChinese();
    const { skills } = await fake.call("skill_list", {});
    await Promise.all(skills.map(({ id }) => fake.call("skill_get", { id })));
    await Promise.all([fake.call("lint_counts", {}), fake.call("model_list", {})]);
    fake.disk.settings = { ...fake.disk.settings, language: "zh-CN" };
    runs.walk = null;
    runs.list = null;
    pairing.shown = null;
    app.go("skills");
    render(App);
    await screen.findByTestId("welcome");
    return fake;
}

export function closeWindow(): void {
    editor.files.forEach((file) => editor.drop(file));
    editor.form = false;
    toasts.list = [];
    cleanup();
    setLocale("en");
}

export async function settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) {
        await tick();
        await new Promise((done) => setTimeout(done, 0));
    }
}

export async function click(testid: string, at = 0): Promise<void> {
    await fireEvent.click((await screen.findAllByTestId(testid))[at] ?? document.body);
    await settled();
}

export async function type(testid: string, value: string): Promise<void> {
    await fireEvent.input((await screen.findAllByTestId(testid))[0] ?? document.body, { target: { value } });
    await settled();
}

export async function press(key: string): Promise<void> {
    await fireEvent.keyDown(document.body, { key });
    await settled();
}

/** `apart`: what is not looked at. */
export function look(where: string, apart = FOREIGN): void {
    const all = known.join("\n");
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest(apart) !== null && element.closest(".conflict-choice") === null) {
            continue;
        }
        const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue ?? "");
        for (const said of [...own, ...SPOKEN.map((name) => element.getAttribute(name) ?? "")]) {
            const text = flat(said).replace(KEY_BEHIND, "");
            for (const [words] of text.matchAll(WORDS)) {
                // What is put together of several known texts is known.
                if (words.length > 1 && !all.includes(words) && !words.split(/ (?:[/·|-] )?|\/|, /).every((word) => all.includes(word))) {
                    english.set(words, where);
                }
            }
            if (ENGLISH.has(text.trim()) && !OF_OTHERS.has(text.trim())) {
                english.set(text.trim(), where);
            }
        }
    }
}

/** The file or the skill that is asked about. */
function subjectOf(args: object): string {
    return ["path", "skill", "id"].map((name) => JSON.stringify(Reflect.get(args, name))).join(" ");
}

/** Of texts in two languages, only the Chinese one may be seen. */
function learn(value: unknown): void {
    if (typeof value === "string") {
        known.push(flat(value), flat(JSON.stringify(value)));
    } else if (typeof value === "object" && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
            if (!isTranslated(value, key)) {
                known.push(key);
                learn(inner);
            }
        }
    }
}

function isTranslated(value: object, key: string): boolean {
    return (Reflect.get(value, `${key}Zh`) ?? null) !== null || (OF_ENGLISH.has(key) && (Reflect.get(value, "zh") ?? null) !== null);
}

/** On one line, without the numbers of lines behind names of files. */
function flat(text: string): string {
    return text.replace(/\s+/g, " ").replace(/(\.\w+):\d+/g, "$1");
}
