/** The keys of the walk. The help sheet lists them in this order, and users may change them. */
import { t } from "../../i18n";
import type { Binding } from "../../state/keys.svelte";
import type { Jump } from "../../trace/walk";

export interface WalkActions {
    jump: (to: Jump) => void;
    play: () => void;
    hurry: (change: -1 | 1) => void;
    context: () => void;
    /** Not if there is no other run. */
    compare?: () => void;
    /** Not if nothing can run. */
    fork?: () => void;
    present: () => void;
    agent: (way: "next" | "previous") => void;
    bookmark: () => void;
    nextNote: () => void;
    back: () => void;
}

/** Both the walk and its presentation use these; a clicker sends Page Up and Page Down. */
export function stepKeys({ jump, play, hurry }: Pick<WalkActions, "jump" | "play" | "hurry">): Binding[] {
    const to = (keys: string, to: Jump): Binding => ({
        id: `trace.${to}`,
        keys,
        label: () => t(`trace.${to}`),
        place: "traces",
        run: () => jump(to),
    });
    return [
        to("ArrowRight | j | PageDown", "next"),
        to("ArrowLeft | k | PageUp", "previous"),
        to("Home | g g", "first"),
        to("End | G", "last"),
        to("l | Shift+ArrowRight", "nextTurn"),
        to("h | Shift+ArrowLeft", "previousTurn"),
        to("t", "nextTool"),
        to("T", "previousTool"),
        to("e", "nextError"),
        to("E", "previousError"),
        to("s", "nextSkill"),
        to("S", "previousSkill"),
        {
            id: "trace.play",
            keys: "Space",
            label: () => `${t("trace.play")} / ${t("trace.pause")}`,
            place: "traces",
            run: play,
            when: notOnControl,
        },
        { id: "trace.slower", keys: "[", label: () => t("trace.slower"), place: "traces", run: () => hurry(-1) },
        { id: "trace.faster", keys: "]", label: () => t("trace.faster"), place: "traces", run: () => hurry(1) },
    ];
}

export function walkKeys(actions: WalkActions): Binding[] {
    return [
        ...stepKeys(actions),
        { id: "trace.togglePane", keys: "c", label: () => t("trace.togglePane"), place: "traces", run: actions.context },
        { id: "present.start", keys: "f | F5", label: () => t("present.start"), place: "traces", run: actions.present },
        { id: "trace.nextAgent", keys: "a", label: () => t("trace.nextAgent"), place: "traces", run: () => actions.agent("next") },
        {
            id: "trace.previousAgent",
            keys: "A",
            label: () => t("trace.previousAgent"),
            place: "traces",
            run: () => actions.agent("previous"),
        },
        ...key("pair.with", "x", actions.compare),
        ...key("fork.open", "r", actions.fork),
        { id: "review.bookmark", keys: "m", label: () => t("review.bookmark"), place: "traces", run: actions.bookmark },
        { id: "review.next", keys: "n", label: () => t("review.nextMark"), place: "traces", run: actions.nextNote },
        { id: "trace.back", keys: "Escape", label: () => t("trace.back"), place: "traces", run: actions.back },
    ];
}

/** A command that is not everywhere. */
function key(id: "pair.with" | "fork.open", keys: string, run: (() => void) | undefined): Binding[] {
    return run === undefined ? [] : [{ id, keys, label: () => t(id), place: "traces", run }];
}

/** Space on a focused control is that control's. */
function notOnControl(): boolean {
    return (document.activeElement ?? document.body).closest("button, summary, a, [role=tab]") === null;
}
