// SPDX-License-Identifier: Apache-2.0
#include "CPage.h"

#include "Fonts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char page_css[] = {
#embed "Files/page.css"
};
static const unsigned char page_js[] = {
#embed "Files/page.js"
};
static const unsigned char acts_js[] = {
#embed "Files/acts.js"
};
static const unsigned char answers_js[] = {
#embed "Files/answers.js"
};
static const unsigned char badge_js[] = {
#embed "Files/badge.js"
};
static const unsigned char banner_js[] = {
#embed "Files/banner.js"
};
static const unsigned char board_js[] = {
#embed "Files/board.js"
};
static const unsigned char browser_js[] = {
#embed "Files/browser.js"
};
static const unsigned char clock_js[] = {
#embed "Files/clock.js"
};
static const unsigned char details_js[] = {
#embed "Files/details.js"
};
static const unsigned char dom_js[] = {
#embed "Files/dom.js"
};
static const unsigned char feed_js[] = {
#embed "Files/feed.js"
};
static const unsigned char filter_js[] = {
#embed "Files/filter.js"
};
static const unsigned char front_js[] = {
#embed "Files/front.js"
};
static const unsigned char hold_js[] = {
#embed "Files/hold.js"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};
static const unsigned char jump_js[] = {
#embed "Files/jump.js"
};
static const unsigned char keys_js[] = {
#embed "Files/keys.js"
};
static const unsigned char list_js[] = {
#embed "Files/list.js"
};
static const unsigned char lock_css[] = {
#embed "Files/lock.css"
};
static const unsigned char lock_html[] = {
#embed "Files/lock.html"
};
static const unsigned char lock_js[] = {
#embed "Files/lock.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "Files/manifest.webmanifest"
};
static const unsigned char media_js[] = {
#embed "Files/media.js"
};
static const unsigned char notices_js[] = {
#embed "Files/notices.js"
};
static const unsigned char offers_js[] = {
#embed "Files/offers.js"
};
static const unsigned char openapi_json[] = {
#embed "Files/openapi.json"
};
static const unsigned char padlock_svg[] = {
#embed "Files/padlock.svg"
};
static const unsigned char past_js[] = {
#embed "Files/past.js"
};
static const unsigned char pill_js[] = {
#embed "Files/pill.js"
};
static const unsigned char presence_js[] = {
#embed "Files/presence.js"
};
static const unsigned char question_js[] = {
#embed "Files/question.js"
};
static const unsigned char renewal_js[] = {
#embed "Files/renewal.js"
};
static const unsigned char row_js[] = {
#embed "Files/row.js"
};
static const unsigned char scene_box_js[] = {
#embed "Files/scene-box.js"
};
static const unsigned char scene_controls_js[] = {
#embed "Files/scene-controls.js"
};
static const unsigned char scene_drawn_js[] = {
#embed "Files/scene-drawn.js"
};
static const unsigned char scene_end_js[] = {
#embed "Files/scene-end.js"
};
static const unsigned char scene_events_js[] = {
#embed "Files/scene-events.js"
};
static const unsigned char scene_fields_js[] = {
#embed "Files/scene-fields.js"
};
static const unsigned char scene_media_js[] = {
#embed "Files/scene-media.js"
};
static const unsigned char scene_part_js[] = {
#embed "Files/scene-part.js"
};
static const unsigned char scene_picture_js[] = {
#embed "Files/scene-picture.js"
};
static const unsigned char scene_place_js[] = {
#embed "Files/scene-place.js"
};
static const unsigned char scene_player_js[] = {
#embed "Files/scene-player.js"
};
static const unsigned char scene_session_js[] = {
#embed "Files/scene-session.js"
};
static const unsigned char scene_stream_js[] = {
#embed "Files/scene-stream.js"
};
static const unsigned char scene_symbols_js[] = {
#embed "Files/scene-symbols.js"
};
static const unsigned char scene_touch_js[] = {
#embed "Files/scene-touch.js"
};
static const unsigned char scene_tree_js[] = {
#embed "Files/scene-tree.js"
};
static const unsigned char scene_values_js[] = {
#embed "Files/scene-values.js"
};
static const unsigned char scene_css[] = {
#embed "Files/scene.css"
};
static const unsigned char scene_js[] = {
#embed "Files/scene.js"
};
static const unsigned char search_js[] = {
#embed "Files/search.js"
};
static const unsigned char session_js[] = {
#embed "Files/session.js"
};
static const unsigned char settings_js[] = {
#embed "Files/settings.js"
};
static const unsigned char sound_js[] = {
#embed "Files/sound.js"
};
static const unsigned char stacks_js[] = {
#embed "Files/stacks.js"
};
static const unsigned char surfaces_js[] = {
#embed "Files/surfaces.js"
};
static const unsigned char sw_js[] = {
#embed "Files/sw.js"
};
static const unsigned char turn_js[] = {
#embed "Files/turn.js"
};
static const unsigned char unseen_svg[] = {
#embed "Files/unseen.svg"
};
static const unsigned char voice_js[] = {
#embed "Files/voice.js"
};
static const unsigned char wishes_js[] = {
#embed "Files/wishes.js"
};
static const unsigned char words_en_js[] = {
#embed "Files/words-en.js"
};
static const unsigned char words_es_js[] = {
#embed "Files/words-es.js"
};
static const unsigned char words_pt_js[] = {
#embed "Files/words-pt.js"
};
static const unsigned char words_js[] = {
#embed "Files/words.js"
};

// One file a line, also where two have room.
// clang-format off
static const struct page_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"page.css", page_css, sizeof page_css},
    {"page.js", page_js, sizeof page_js},
    {"acts.js", acts_js, sizeof acts_js},
    {"answers.js", answers_js, sizeof answers_js},
    {"badge.js", badge_js, sizeof badge_js},
    {"banner.js", banner_js, sizeof banner_js},
    {"board.js", board_js, sizeof board_js},
    {"browser.js", browser_js, sizeof browser_js},
    {"clock.js", clock_js, sizeof clock_js},
    {"details.js", details_js, sizeof details_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"feed.js", feed_js, sizeof feed_js},
    {"filter.js", filter_js, sizeof filter_js},
    {"front.js", front_js, sizeof front_js},
    {"hold.js", hold_js, sizeof hold_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"jump.js", jump_js, sizeof jump_js},
    {"keys.js", keys_js, sizeof keys_js},
    {"list.js", list_js, sizeof list_js},
    {"lock.css", lock_css, sizeof lock_css},
    {"lock.html", lock_html, sizeof lock_html},
    {"lock.js", lock_js, sizeof lock_js},
    {"manifest.webmanifest", manifest_webmanifest, sizeof manifest_webmanifest},
    {"media.js", media_js, sizeof media_js},
    {"notices.js", notices_js, sizeof notices_js},
    {"offers.js", offers_js, sizeof offers_js},
    {"padlock.svg", padlock_svg, sizeof padlock_svg},
    {"past.js", past_js, sizeof past_js},
    {"pill.js", pill_js, sizeof pill_js},
    {"presence.js", presence_js, sizeof presence_js},
    {"question.js", question_js, sizeof question_js},
    {"renewal.js", renewal_js, sizeof renewal_js},
    {"row.js", row_js, sizeof row_js},
    {"scene-box.js", scene_box_js, sizeof scene_box_js},
    {"scene-controls.js", scene_controls_js, sizeof scene_controls_js},
    {"scene-drawn.js", scene_drawn_js, sizeof scene_drawn_js},
    {"scene-end.js", scene_end_js, sizeof scene_end_js},
    {"scene-events.js", scene_events_js, sizeof scene_events_js},
    {"scene-fields.js", scene_fields_js, sizeof scene_fields_js},
    {"scene-media.js", scene_media_js, sizeof scene_media_js},
    {"scene-part.js", scene_part_js, sizeof scene_part_js},
    {"scene-picture.js", scene_picture_js, sizeof scene_picture_js},
    {"scene-place.js", scene_place_js, sizeof scene_place_js},
    {"scene-player.js", scene_player_js, sizeof scene_player_js},
    {"scene-session.js", scene_session_js, sizeof scene_session_js},
    {"scene-stream.js", scene_stream_js, sizeof scene_stream_js},
    {"scene-symbols.js", scene_symbols_js, sizeof scene_symbols_js},
    {"scene-touch.js", scene_touch_js, sizeof scene_touch_js},
    {"scene-tree.js", scene_tree_js, sizeof scene_tree_js},
    {"scene-values.js", scene_values_js, sizeof scene_values_js},
    {"scene.css", scene_css, sizeof scene_css},
    {"scene.js", scene_js, sizeof scene_js},
    {"search.js", search_js, sizeof search_js},
    {"session.js", session_js, sizeof session_js},
    {"settings.js", settings_js, sizeof settings_js},
    {"sound.js", sound_js, sizeof sound_js},
    {"stacks.js", stacks_js, sizeof stacks_js},
    {"surfaces.js", surfaces_js, sizeof surfaces_js},
    {"sw.js", sw_js, sizeof sw_js},
    {"turn.js", turn_js, sizeof turn_js},
    {"unseen.svg", unseen_svg, sizeof unseen_svg},
    {"voice.js", voice_js, sizeof voice_js},
    {"wishes.js", wishes_js, sizeof wishes_js},
    {"words-en.js", words_en_js, sizeof words_en_js},
    {"words-es.js", words_es_js, sizeof words_es_js},
    {"words-pt.js", words_pt_js, sizeof words_pt_js},
    {"words.js", words_js, sizeof words_js},
    {"v1/openapi.json", openapi_json, sizeof openapi_json},
};
// clang-format on

struct page_file page_file_at(size_t index) {
    const size_t count = sizeof files / sizeof files[0];
    return index < count ? files[index] : page_font_at(index - count);
}
