// The compiler supports C23's #embed but calls it an extension of earlier standards.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CDashboard.h"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};
static const unsigned char icon_lost_svg[] = {
#embed "Files/icon-lost.svg"
};
static const unsigned char icon_192_png[] = {
#embed "Files/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "Files/icon-512.png"
};
static const unsigned char icon_maskable_png[] = {
#embed "Files/icon-maskable.png"
};
static const unsigned char manifest_webmanifest[] = {
#embed "Files/manifest.webmanifest"
};
static const unsigned char base_css[] = {
#embed "Files/base.css"
};
static const unsigned char views_css[] = {
#embed "Files/views.css"
};
static const unsigned char boards_css[] = {
#embed "Files/boards.css"
};
static const unsigned char overview_css[] = {
#embed "Files/overview.css"
};
static const unsigned char talks_css[] = {
#embed "Files/talks.css"
};
static const unsigned char settings_css[] = {
#embed "Files/settings.css"
};
static const unsigned char main_js[] = {
#embed "Files/main.js"
};
static const unsigned char api_js[] = {
#embed "Files/api.js"
};
static const unsigned char dom_js[] = {
#embed "Files/dom.js"
};
static const unsigned char health_js[] = {
#embed "Files/health.js"
};
static const unsigned char words_js[] = {
#embed "Files/words.js"
};
static const unsigned char chart_js[] = {
#embed "Files/chart.js"
};
static const unsigned char overview_js[] = {
#embed "Files/overview.js"
};
static const unsigned char map_js[] = {
#embed "Files/map.js"
};
static const unsigned char restore_js[] = {
#embed "Files/restore.js"
};
static const unsigned char devices_js[] = {
#embed "Files/devices.js"
};
static const unsigned char conversations_js[] = {
#embed "Files/conversations.js"
};
static const unsigned char talks_js[] = {
#embed "Files/talks.js"
};
static const unsigned char talk_js[] = {
#embed "Files/talk.js"
};
static const unsigned char messages_js[] = {
#embed "Files/messages.js"
};
static const unsigned char search_js[] = {
#embed "Files/search.js"
};
static const unsigned char rows_js[] = {
#embed "Files/rows.js"
};
static const unsigned char leaderboards_js[] = {
#embed "Files/leaderboards.js"
};
static const unsigned char people_js[] = {
#embed "Files/people.js"
};
static const unsigned char joining_js[] = {
#embed "Files/joining.js"
};
static const unsigned char standings_js[] = {
#embed "Files/standings.js"
};
static const unsigned char today_js[] = {
#embed "Files/today.js"
};
static const unsigned char race_js[] = {
#embed "Files/race.js"
};
static const unsigned char calendar_js[] = {
#embed "Files/calendar.js"
};
static const unsigned char achievements_js[] = {
#embed "Files/achievements.js"
};
static const unsigned char pairing_js[] = {
#embed "Files/pairing.js"
};
static const unsigned char settings_js[] = {
#embed "Files/settings.js"
};
static const unsigned char tokens_js[] = {
#embed "Files/tokens.js"
};
static const unsigned char backup_js[] = {
#embed "Files/backup.js"
};
static const unsigned char notify_js[] = {
#embed "Files/notify.js"
};
static const unsigned char diagnostics_js[] = {
#embed "Files/diagnostics.js"
};

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define ASSET(name, type, array) {name, type, array, sizeof array}

static const struct kachat_asset assets[] = {
    ASSET("index.html", HTML, index_html),
    ASSET("icon.svg", "image/svg+xml", icon_svg),
    ASSET("icon-lost.svg", "image/svg+xml", icon_lost_svg),
    ASSET("icon-192.png", "image/png", icon_192_png),
    ASSET("icon-512.png", "image/png", icon_512_png),
    ASSET("icon-maskable.png", "image/png", icon_maskable_png),
    ASSET("manifest.webmanifest", "application/manifest+json", manifest_webmanifest),
    ASSET("base.css", CSS, base_css),
    ASSET("views.css", CSS, views_css),
    ASSET("boards.css", CSS, boards_css),
    ASSET("settings.css", CSS, settings_css),
    ASSET("overview.css", CSS, overview_css),
    ASSET("talks.css", CSS, talks_css),
    ASSET("main.js", SCRIPT, main_js),
    ASSET("api.js", SCRIPT, api_js),
    ASSET("dom.js", SCRIPT, dom_js),
    ASSET("health.js", SCRIPT, health_js),
    ASSET("words.js", SCRIPT, words_js),
    ASSET("chart.js", SCRIPT, chart_js),
    ASSET("overview.js", SCRIPT, overview_js),
    ASSET("map.js", SCRIPT, map_js),
    ASSET("restore.js", SCRIPT, restore_js),
    ASSET("devices.js", SCRIPT, devices_js),
    ASSET("conversations.js", SCRIPT, conversations_js),
    ASSET("talks.js", SCRIPT, talks_js),
    ASSET("talk.js", SCRIPT, talk_js),
    ASSET("messages.js", SCRIPT, messages_js),
    ASSET("search.js", SCRIPT, search_js),
    ASSET("rows.js", SCRIPT, rows_js),
    ASSET("leaderboards.js", SCRIPT, leaderboards_js),
    ASSET("people.js", SCRIPT, people_js),
    ASSET("joining.js", SCRIPT, joining_js),
    ASSET("standings.js", SCRIPT, standings_js),
    ASSET("today.js", SCRIPT, today_js),
    ASSET("race.js", SCRIPT, race_js),
    ASSET("calendar.js", SCRIPT, calendar_js),
    ASSET("achievements.js", SCRIPT, achievements_js),
    ASSET("pairing.js", SCRIPT, pairing_js),
    ASSET("settings.js", SCRIPT, settings_js),
    ASSET("tokens.js", SCRIPT, tokens_js),
    ASSET("backup.js", SCRIPT, backup_js),
    ASSET("notify.js", SCRIPT, notify_js),
    ASSET("diagnostics.js", SCRIPT, diagnostics_js),
};

const struct kachat_asset *kachat_asset_at(size_t index) {
    return index < sizeof assets / sizeof assets[0] ? &assets[index] : NULL;
}
