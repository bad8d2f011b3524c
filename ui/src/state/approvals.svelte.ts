/** The user's permanent answers about what skills may run. */
import type { ApiError, ApprovalEntry } from "../generated/api";
import { host, toApiError } from "../host";

export class Approvals {
    open = $state(false);
    list = $state.raw<ApprovalEntry[] | null>(null);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);

    async show(): Promise<void> {
        await this.#take(() => host.call("approval_list", {}));
        this.open = true;
    }

    async revoke({ folder, program }: ApprovalEntry): Promise<void> {
        await this.#take(() => host.call("approval_revoke", { folder, program }));
    }

    /** The skill never runs anything of this kind. */
    async never({ folder, program }: ApprovalEntry): Promise<void> {
        await this.#take(() => host.call("approval_set", { folder, program, answer: "never" }));
    }

    async #take(ask: () => Promise<ApprovalEntry[]>): Promise<void> {
        this.busy = true;
        try {
            this.list = await ask();
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
        this.busy = false;
    }
}

export const approvals = new Approvals();
