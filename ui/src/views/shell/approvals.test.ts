import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { approvals } from "../../state/approvals.svelte";
import ApprovalsDialog from "./ApprovalsDialog.svelte";

it("shows what is remembered and what has changed since, and takes it back", async () => {
    const fake = fakeHost();
    setHost(fake);
    render(ApprovalsDialog);
    await approvals.show();
    const comes = () => screen.queryAllByTestId("approval-entry").map((row) => row.dataset["comes"]);
    await waitFor(() => expect(comes()).toEqual(["sandbox", "sandbox", "changed", "never"]));
    await fireEvent.click(screen.getAllByTestId("approval-never")[0]!);
    await waitFor(() => expect(comes()).toEqual(["never", "sandbox", "changed", "never"]));
    await fireEvent.click(screen.getAllByTestId("approval-revoke")[0]!);
    await waitFor(() => expect(comes()).toEqual(["sandbox", "changed", "never"]));
    approvals.open = false;
});
