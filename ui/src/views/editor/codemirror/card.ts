/** The card about a place in the text when the pointer rests on it, or on its mark next to the line. */
import type { Severity } from "../../../generated/api";
import { t } from "../../../i18n";
import { proseParts } from "../../lint/prose";

/** A finding in words, with what can be done about it. */
export interface Mark {
    from: number;
    to: number;
    severity: Severity;
    rule: string;
    title: string;
    /** Empty: the title says it all. */
    message: string;
    /** `null`: it has no fix. */
    fix: { title: string; safe: boolean; apply: () => void } | null;
    /** `null`: such a file has no comments. */
    ignore: ((at: DOMRect) => void) | null;
    about: () => void;
}

export function card(mark: Mark): HTMLElement {
    const title = element("strong", mark.title);
    const message = element("p");
    message.append(...proseParts(mark.message).map((part) => (part.code ? element("code", part.text) : part.text)));
    const actions = element("div");
    actions.className = "lint-actions";
    if (mark.fix) {
        const { title: does, safe, apply } = mark.fix;
        const button = action(does, "card-fix", apply);
        button.classList.add("lint-fix");
        actions.append(button);
        if (!safe) {
            const look = element("span", t("lint.look"));
            look.className = "lint-look";
            actions.append(look);
        }
    }
    if (mark.ignore) {
        const { ignore } = mark;
        const button = action(t("lint.ignore"), "card-ignore", () => ignore(button.getBoundingClientRect()));
        actions.append(button);
    }
    const about = action(t("lint.about"), "card-about", mark.about);
    about.title = mark.rule;
    actions.append(about);
    const whole = element("div");
    whole.className = "lint-card";
    whole.dataset["testid"] = "lint-card";
    whole.dataset["rule"] = mark.rule;
    const id = element("code", mark.rule);
    const head = element("div");
    head.className = "lint-head";
    head.append(title, id);
    whole.append(head, ...(mark.message === "" ? [] : [message]), actions);
    return whole;
}

function action(label: string, testid: string, run: () => void): HTMLButtonElement {
    const button = element("button", label);
    button.type = "button";
    button.dataset["testid"] = testid;
    // The text keeps the focus, and its selection.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", run);
    return button;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = ""): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
}
