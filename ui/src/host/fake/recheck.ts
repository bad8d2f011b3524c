/** What the calls of a run come to now, the first of them changed: written by hand, because over the sample as it is nothing has. */
import type { Checked, RunCheck, RunDetail, RunId } from "../../generated/api";

export function checkOf({ summary, steps }: RunDetail, played: RunId | null): RunCheck {
    const calls = steps.flatMap(({ index, kind }) => {
        if (kind.type !== "tool" || kind.reply === null) {
            return [];
        }
        return [{ step: index, tool: kind.call.name, arguments: kind.call.arguments, reply: kind.reply, ran: kind.output !== null }];
    });
    const result = (reply: string, at: number, ran: boolean): Checked => {
        if (at === 0) {
            return { type: "changed", recorded: reply, now: `${reply} And more.` };
        }
        return ran && played === null ? { type: "notRun", unchanged: true } : { type: "same" };
    };
    const { harness, variant, roots } = summary.setup;
    return {
        run: summary.id,
        played,
        harness,
        variant,
        roots,
        bad: Math.min(1, calls.length),
        refused: 0,
        calls: calls.map(({ reply, ran, ...call }, at) => ({ ...call, result: result(reply, at, ran) })),
    };
}
