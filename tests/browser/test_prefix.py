"""The app below a path, behind the proxy that docs/classroom.md describes."""

from __future__ import annotations

import re
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Watch, free_port, new_page, settle, start_server, stop

pytestmark = pytest.mark.slow  # a server of its own and a first figure

CONFIG = """
daemon off; user root; pid {at}/pid; error_log {at}/error.log;
events {{}}
http {{
  access_log off; types {{ text/html html; }}
  client_body_temp_path {at}/body; proxy_temp_path {at}/proxy; fastcgi_temp_path {at}/fastcgi;
  uwsgi_temp_path {at}/uwsgi; scgi_temp_path {at}/scgi;
  server {{ listen 127.0.0.1:{port}; {block} }}
}}
"""


def found() -> str:
    """Where nginx is; empty for nowhere."""
    script = Path(__file__).parent / "find-nginx"
    return subprocess.run([script], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def block(server: str) -> str:
    """The document's own, for a path."""
    (said,) = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs/classroom.md").read_text(), re.S)
    assert said.count("location / {") == 1
    assert said.count("http://localhost:8501") == 1
    return said.replace("location / {", "location /gf {").replace("http://localhost:8501", server)


@pytest.fixture(scope="module")
def below() -> Iterator[str]:
    """The app below a path; its own address."""
    process, address = start_server(
        "-m", "streamlit", "run", "app.py", "--server.baseUrlPath", "gf", health="/gf"
    )
    yield address
    stop(process)


@pytest.fixture(scope="module")
def proxied(below: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same behind nginx; where there is none and none may be installed, without it."""
    nginx = found()
    if not nginx:
        yield f"{below}/gf"
        return
    at, port = tmp_path_factory.mktemp("nginx"), free_port()
    (at / "conf").write_text(CONFIG.format(at=at, port=port, block=block(below)))
    process = subprocess.Popen([nginx, "-p", at, "-c", at / "conf"])
    until = time.monotonic() + 30
    while not (at / "pid").exists() and time.monotonic() < until:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/gf"
    process.terminate()
    process.wait()


@pytest.fixture
def page(browser) -> Iterator[Page]:
    page = new_page(browser)
    watch = Watch(page)
    yield page
    page.context.close()
    assert not watch.problems, watch.problems


def asked(address: str) -> tuple[int, str, bytes]:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.status, answer.headers["content-type"], answer.read()


def test_pages_clicks_files_lessons_and_links_stay_below_the_path(proxied, page):
    page.goto(f"{proxied}/attention?text=The+cat+sat&layer=2")  # a deep link
    settle(page)
    assert page.url.startswith(f"{proxied}/attention?")
    page.get_by_role("radiogroup", name="Layer").get_by_role("radio").nth(3).click()
    expect(page).to_have_url(re.compile("layer=3"))
    settle(page)
    page.locator("details.save > summary").locator("visible=true").first.click()
    with page.expect_download() as download:
        page.locator("details.save[open]").get_by_text("Data (CSV)").click()
    assert Path(download.value.path()).read_text().count("\n") > 2
    strip = page.locator(".st-key-strip a[href]").first
    assert strip.get_attribute("href").startswith("/gf/")
    strip.click()
    expect(page).not_to_have_url(re.compile("/attention"))
    settle(page)
    assert page.url.startswith(f"{proxied}/")
    page.goto(f"{proxied}/lessons?lesson=masks&lesson_at=1")
    settle(page)
    papers = page.locator("p.glass-source a[href*='/lesson/']")
    assert papers.first.get_attribute("href").startswith("/gf/lesson/masks.html?")
    page.goto(f"{proxied}/")
    settle(page)
    expect(page.locator(".st-key-flow")).to_be_visible()
    expect(page.locator("#glass-first")).to_have_count(0)


def test_what_is_asked_for_without_a_page_is_below_the_path(proxied):
    origin = proxied.removesuffix("/gf")
    assert asked(f"{proxied}")[0] == 200  # goes on to /gf/
    for path, kind in (
        ("/figure/attention.row.csv?text=A+cat", "text/csv"),
        ("/lesson/masks.html", "text/html"),
        ("/check", "text/html"),
    ):
        status, said, content = asked(f"{proxied}{path}")
        assert (status, said.partition(";")[0]) == (200, kind)
        assert b'<div id="root">' not in content, f"{path} is the shell of the app"
        assert not re.findall(rb"(?:href|src)=['\"]/(?!gf/)", content)
    (module,) = re.findall(rb"src='(/gf/components/[^']+check.js)'", asked(f"{proxied}/check")[2])
    assert asked(origin + module.decode())[1].startswith("text/javascript")
