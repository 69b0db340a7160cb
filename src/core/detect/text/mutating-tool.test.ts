import { describe, expect, test } from "vitest";
import { classifyToolResult } from "../index.ts";
import { actionOf, isReadOnlyTool } from "./mutating-tool.ts";

const status = (tool: string, text: string): string =>
  classifyToolResult({ callId: "c", content: text }, { name: tool, arguments: {} }).status;

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

  test("read-only tools are recognized in other languages too", () => {
    expect(isReadOnlyTool("consultar_saldo")).toBe(true);
    expect(isReadOnlyTool("get_balance")).toBe(true);
    expect(isReadOnlyTool("pagar_factura")).toBe(false);
  });
});

describe("a successful mutating tool whose result quotes failure words", () => {
  test.each([
    ["create_note", "Note 'milk is missing' saved in Kitchen"],
    ["add_reminder", 'Reminder "call back, she was not at home" set for 18:00'],
    ["update_board", "Card changed from ready to blocked"],
    ["install_module", "Requirement already satisfied: attrs in ./env"],
  ])("%s returning %j is ok", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("a quoted identifier does not hide a refusal", () => {
    expect(status("reserve_bike", "Bike 'B12' is not at this station.")).toBe("failed");
  });
});

describe("a refusal of a mutating tool", () => {
  test.each([
    // negations
    ["transfer_points", "The two accounts do not belong to the same family."],
    ["raise_limit_update", "Your income hasn't been confirmed"],
    ["fill_bowl", "The bowl is no longer in the kitchen."],
    ["assign_driver", "No driver was notified, since nobody is on duty."],
    ["merge_cells_edit", "These cells are not next to each other"],
    // requirements
    ["ship_parcel", "A customs form is needed for this country."],
    ["open_window", "Turn the air conditioning off before opening windows."],
    ["rebook_flight", "Only the person who paid can rebook this trip."],
    ["activate_card", "Please provide the last four digits of the card."],
    ["join_meeting", "The host has to let you in; try again in a minute"],
    // obstacles
    ["renew_passport", "The old passport was reported stolen and is blocked."],
    ["add_song", "The playlist exceeds 500 songs"],
    ["print_label_submit", "The name is too long for the label"],
    ["register_domain", "That name is already reserved by somebody else."],
    ["unlock_phone", "The battery is empty."],
  ])("%s returning %j is failed", (tool, text) => {
    expect(status(tool, text)).toBe("failed");
  });
});

describe("a mutating tool that confirms its action", () => {
  test.each([
    // confirms the action in its name
    ["block_sender", "The sender is blocked."],
    ["decline_invitation", "Invitation declined."],
    ["reject_offer", "Offer 4 was rejected."],
    ["suspend_user", "User 9 has been suspended and can no longer log in."],
    ["play_radio", "Playing: Don't Stop Believing"],
    // removes or ends something
    ["remove_filter", "The list is no longer filtered."],
    ["disable_alerts", "You will not get alerts from this channel any more."],
    // confirms the action first
    ["send_report", "Report sent. The second page could not be compressed."],
    ["schedule_backup", "Backup scheduled. It requires 4 GB of space."],
    ["place_bid", "Bid placed. You are not the highest bidder yet."],
    ["create_room", "Room 4 created. Nobody has joined."],
  ])("%s returning %j is ok", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("a negated verb is not a confirmation", () => {
    expect(status("cancel_trip", "This trip cannot be cancelled.")).toBe("failed");
    expect(status("close_case", "Case 3 was already closed.")).toBe("failed");
    expect(status("book_room", "Booking failed: nobody answered")).toBe("failed");
  });
});

describe("a remark after the confirmation of a mutating tool", () => {
  test.each([
    ["open_app", "Maps is open. Location access is not granted."],
    ["create_user", "User mia (id 4). She has to confirm her address before she can log in."],
    ["buy_item", "You bought a sword. You only have 3 gold left."],
    ["convert_currency", "100 USD = 92.1 EUR (rates are not live)"],
    ["reserve_seat", "Seat 12A is yours. Exit row: children are not permitted."],
    ["add_comment", "Comment 77 is visible to everyone. It can't be edited after 5 minutes."],
    ["import_contacts", "214 contacts in, 6 duplicates skipped."],
    ["record_vote", "Thanks, your vote counts. You can only vote once."],
    ["restart_server", "Server is back after 12 s. Swap is not configured."],
  ])("%s returning %j is ok", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("an instruction to the caller is a refusal, also in the second sentence", () => {
    expect(status("open_hood", "The engine is hot. Let it cool before opening the hood.")).toBe("failed");
    expect(status("join_call", "The room is being prepared. Try again in a minute.")).toBe("failed");
  });
});

describe("a negation in the result of a read-only tool", () => {
  test.each([
    ["get_pet", "Rex does not like cats and is not vaccinated."],
    ["describe_room", "Only the window can be opened. The door is locked."],
    ["list_rules_of_game", "You need 3 cards before you can draw."],
    ["consultar_hotel", "El hotel no tiene piscina."],
  ])("%s returning %j is ok", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });
});
