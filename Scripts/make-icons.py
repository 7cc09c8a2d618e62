#!/usr/bin/env python3
"""Draws the dashboard's icon as PNG files, for home screens: after each change of icon.svg.

    .build/python/bin/python Scripts/make-icons.py

Needs what Tests/Dashboard needs. A launcher may cut any shape out of the maskable one: its ground fills the square, and
what is drawn keeps within the inner 80 %.
"""
import pathlib
import shutil

from playwright.sync_api import sync_playwright

folder = pathlib.Path(__file__).resolve().parent.parent / "Sources/CDashboard/Files"
drawing = (folder / "icon.svg").read_text()
ground = drawing.split('fill="', 1)[1].split('"', 1)[0]


def draw(browser, name, size, shrink=1.0, background="transparent"):
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        f"<style>html, body {{ margin: 0; height: 100%; background: {background}; }} "
        f"body {{ display: grid; place-items: center; }} svg {{ width: {size * shrink}px; height: {size * shrink}px; }}"
        f"</style>{drawing}")
    page.screenshot(path=folder / name, omit_background=True)
    page.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--no-sandbox"])
    draw(browser, "icon-192.png", 192)
    draw(browser, "icon-512.png", 512)
    draw(browser, "icon-maskable.png", 512, 0.8, ground)
    browser.close()
