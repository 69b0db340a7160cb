import { describe, expect, test } from "vitest";
import { classifyToolResult } from "../index.ts";
import { actionOf, isReadOnlyTool } from "./mutating-tool.ts";

const status = (tool: string, text: string): string =>
  classifyToolResult({ callId: "c", content: text }, { name: tool, arguments: {} }).status;

describe("what a tool is asked for", () => {
  test.each(["cancel_order", "mcp__shop__addToCart", "calendar.moveEvent", "set_volume", "book"])("%s acts", (name) => {
    expect(actionOf(name)).toBeDefined();
  });

  test.each(["get_order", "list_bookings", "checkOrder", "inventory", "weather", "search_returns"])(
    "%s does not",
    (name) => {
      expect(actionOf(name)).toBeUndefined();
    },
  );

  test.each(["order_status", "placeDetails", "exchange_rate", "load_balancer_state", "post_get", "print_config"])(
    "%s is named after a thing, and tells of it",
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
  ])("%s does something to it", (name) => {
    expect(actionOf(name)).toBeDefined();
  });

  test("looking is known in other languages too", () => {
    expect(isReadOnlyTool("consultar_saldo")).toBe(true);
    expect(isReadOnlyTool("get_balance")).toBe(true);
    expect(isReadOnlyTool("pagar_factura")).toBe(false);
  });
});

describe("an acting tool that acted", () => {
  test.each([
    ["create_note", "Note 'milk is missing' saved in Kitchen"],
    ["add_reminder", 'Reminder "call back, she was not at home" set for 18:00'],
    ["update_board", "Card changed from ready to blocked"],
    ["install_module", "Requirement already satisfied: attrs in ./env"],
  ])("%s: %s", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("a name in quotes is no word of somebody else's", () => {
    expect(status("reserve_bike", "Bike 'B12' is not at this station.")).toBe("failed");
  });
});

describe("an acting tool that did not act", () => {
  test.each([
    // what is not so
    ["transfer_points", "The two accounts do not belong to the same family."],
    ["raise_limit_update", "Your income hasn't been confirmed"],
    ["fill_bowl", "The bowl is no longer in the kitchen."],
    ["assign_driver", "No driver was notified, since nobody is on duty."],
    ["merge_cells_edit", "These cells are not next to each other"],
    // what is needed
    ["ship_parcel", "A customs form is needed for this country."],
    ["open_window", "Turn the air conditioning off before opening windows."],
    ["rebook_flight", "Only the person who paid can rebook this trip."],
    ["activate_card", "Please provide the last four digits of the card."],
    ["join_meeting", "The host has to let you in; try again in a minute"],
    // what is in the way
    ["renew_passport", "The old passport was reported stolen and is blocked."],
    ["add_song", "The playlist exceeds 500 songs"],
    ["print_label_submit", "The name is too long for the label"],
    ["register_domain", "That name is already reserved by somebody else."],
    ["unlock_phone", "The battery is empty."],
  ])("%s: %s", (tool, text) => {
    expect(status(tool, text)).toBe("failed");
  });
});

describe("an acting tool that acted", () => {
  test.each([
    // it says what it is named after
    ["block_sender", "The sender is blocked."],
    ["decline_invitation", "Invitation declined."],
    ["reject_offer", "Offer 4 was rejected."],
    ["suspend_user", "User 9 has been suspended and can no longer log in."],
    ["play_radio", "Playing: Don't Stop Believing"],
    // it makes something not so
    ["remove_filter", "The list is no longer filtered."],
    ["disable_alerts", "You will not get alerts from this channel any more."],
    // it says so first
    ["send_report", "Report sent. The second page could not be compressed."],
    ["schedule_backup", "Backup scheduled. It requires 4 GB of space."],
    ["place_bid", "Bid placed. You are not the highest bidder yet."],
    ["create_room", "Room 4 created. Nobody has joined."],
  ])("%s: %s", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("the same verb, denied, is no success", () => {
    expect(status("cancel_trip", "This trip cannot be cancelled.")).toBe("failed");
    expect(status("close_case", "Case 3 was already closed.")).toBe("failed");
    expect(status("book_room", "Booking failed: nobody answered")).toBe("failed");
  });
});

describe("an acting tool that tells more afterwards", () => {
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
  ])("%s: %s", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });

  test("an order to the caller counts wherever it stands", () => {
    expect(status("open_hood", "The engine is hot. Let it cool before opening the hood.")).toBe("failed");
    expect(status("join_call", "The room is being prepared. Try again in a minute.")).toBe("failed");
  });
});

describe("a tool that looks", () => {
  test.each([
    ["get_pet", "Rex does not like cats and is not vaccinated."],
    ["describe_room", "Only the window can be opened. The door is locked."],
    ["list_rules_of_game", "You need 3 cards before you can draw."],
    ["consultar_hotel", "El hotel no tiene piscina."],
  ])("%s: %s is an answer", (tool, text) => {
    expect(status(tool, text)).toBe("ok");
  });
});
