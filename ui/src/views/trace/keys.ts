/** The keys of the walk. The help sheet lists them as they stand here. */
import { t } from "../../i18n";
import type { Binding } from "../../state/keys.svelte";
import type { Jump } from "../../trace/walk";

export interface WalkActions {
    jump: (to: Jump) => void;
    play: () => void;
    hurry: (change: -1 | 1) => void;
    context: () => void;
    back: () => void;
}

export function walkKeys(actions: WalkActions): Binding[] {
    const jump = (keys: string, label: () => string, to: Jump): Binding => ({ keys, label, place: "traces", run: () => actions.jump(to) });
    return [
        jump("ArrowRight | j | PageDown", () => t("trace.next"), "next"),
        jump("ArrowLeft | k | PageUp", () => t("trace.previous"), "previous"),
        jump("Home | g g", () => t("trace.first"), "first"),
        jump("End | G", () => t("trace.last"), "last"),
        jump("t", () => t("trace.nextTool"), "nextTool"),
        jump("e", () => t("trace.nextError"), "nextError"),
        jump("s", () => t("trace.nextSkill"), "nextSkill"),
        { keys: "c", label: () => t("trace.togglePane"), place: "traces", run: actions.context },
        { keys: "Space", label: () => `${t("trace.play")} / ${t("trace.pause")}`, place: "traces", run: actions.play, when: notOnControl },
        { keys: "[", label: () => t("trace.slower"), place: "traces", run: () => actions.hurry(-1) },
        { keys: "]", label: () => t("trace.faster"), place: "traces", run: () => actions.hurry(1) },
        { keys: "Escape", label: () => t("trace.back"), place: "traces", run: actions.back },
    ];
}

/** Space on a focused control is that control's. */
function notOnControl(): boolean {
    return (document.activeElement ?? document.body).closest("button, summary, a, [role=tab]") === null;
}
