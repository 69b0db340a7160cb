import { describe, expect, test } from "vitest";
import { answer } from "../../../../test/support/classify.ts";
import { actionOf, confirmsAction } from "./tool-action.ts";

describe("the action in a tool's name", () => {
  test.each(["cancel_order", "mcp__shop__addToCart", "calendar.moveEvent", "set_volume", "book"])(
    "%s is a mutating tool",
    (name) => {
      expect(actionOf(name)).toBeDefined();
    },
  );

  test.each(["get_order", "list_bookings", "checkOrder", "inventory", "weather", "search_returns"])(
    "%s is not a mutating tool",
    (name) => {
      expect(actionOf(name)).toBeUndefined();
    },
  );

  test.each(["order_status", "placeDetails", "exchange_rate", "load_balancer_state", "post_get", "print_config"])(
    "%s describes a state and is not a mutating tool",
    (name) => {
      expect(actionOf(name)).toBeUndefined();
    },
  );

  test.each([
    "update_status",
    "schedule_test_drive",
    "set_alarm",
    "record_payment",
    "place_order",
    "change_settings_apply",
  ])("%s changes a state and is a mutating tool", (name) => {
    expect(actionOf(name)).toBeDefined();
  });
});

describe("a confirmation of the action in a tool's name", () => {
  const confirms = (tool: string, text: string): boolean => {
    const action = actionOf(tool);
    return action !== undefined && confirmsAction(text, action);
  };

  test.each([
    ["block_sender", "The sender is blocked."],
    ["reject_offer", "Offer 4 was rejected."],
    ["send_report", "Report sent. The second page could not be compressed."],
    ["buy_item", "You bought a sword. You only have 3 gold left."],
    ["create_note", "Note 'milk is missing' saved in Kitchen"],
  ])("%s returning %j confirms the action", (tool, text) => {
    expect(confirms(tool, text)).toBe(true);
  });

  test.each([
    ["cancel_trip", "This trip cannot be cancelled."],
    ["close_case", "Case 3 was already closed."],
    ["book_room", "Booking failed: nobody answered"],
    ["send_mail", "The mail was not sent."],
  ])("%s returning %j does not confirm the action", (tool, text) => {
    expect(confirms(tool, text)).toBe(false);
  });

  test("a participle in another language confirms the action, unless the sentence denies it", () => {
    expect(confirms("cancelar_plan", "Plan cancelado. No habrá más cobros.")).toBe(true);
    expect(confirms("annuler_commande", "Commande 12 annulée.")).toBe(true);
    expect(confirms("cancelar_reserva", "A reserva já foi utilizada e não pode ser cancelada.")).toBe(false);
    expect(confirms("thermostat_setzen", "Soll 20 °C übernommen, Fenster meldet keine Verbindung")).toBe(true);
    expect(confirms("termin_buchen", "Der Termin konnte nicht gebucht werden.")).toBe(false);
  });

  test("a check mark confirms an action, unless the sentence denies it or another mark does", () => {
    expect(confirms("send_message", "Ann has it \u2713\u2713")).toBe(true);
    expect(confirms("send_message", "Ann could not be reached \u2713 saved as a draft")).toBe(false);
    expect(confirms("send_message", "Ann has it \u2713\nTom \u2717")).toBe(false);
  });
});

describe("an answer of a tool that acts", () => {
  test("an answer that nothing was done is a failure of a tool that acts, not of one that reads", () => {
    expect(answer("update_contact", "No person has the id 77. Nothing was updated.").status).toBe("failed");
    expect(answer("list_contacts", "No person has the id 77. Nothing was updated.").status).not.toBe("failed");
  });

  test("the confirmation of an editor is a success, a file that was modified since it was read is none", () => {
    expect(answer("edit_file", "The file notes/plan.md has been edited.", { path: "notes/plan.md" }).status).toBe("ok");
    const modified = "File has been modified since read. Read it again before writing to it.";
    expect(answer("edit_file", modified, { path: "notes/plan.md" }).status).toBe("failed");
  });

  test("an answer that denies the action is a failure", () => {
    expect(answer("create_event", "Not created: the room is booked until 11:00.").status).toBe("failed");
    expect(
      answer("call_service", "response:\nMove_Response(success=False, message='target out of reach')").status,
    ).toBe("failed");
  });

  test("a failure without a reason is a failure of a tool that acts, not of one that reads", () => {
    expect(answer("publish_page", "Publishing failed.")).toMatchObject({ status: "failed", category: "failed" });
    expect(answer("get_payment", "Payment failed.").status).not.toBe("failed");
  });
});
