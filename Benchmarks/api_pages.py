#!/usr/bin/env python3
"""Measures `GET /v1/peers` beside 20 clients that list 2,000 conversations without pause.

    Benchmarks/api_pages.py [.build/release/kachat-node] [--seconds 10] [--clients 20]

It makes a home in a temporary folder, runs a node on it without discovery, and prints the percentiles of the short
request, alone and beside the clients, and the pages that these got."""
import argparse
import json
import multiprocessing
import os
import selectors
import signal
import socket
import subprocess
import tempfile
import time

CONVERSATIONS, MESSAGES = 2_000, 5


def lines():
    for number in range(CONVERSATIONS * MESSAGES):
        conversation = number % CONVERSATIONS
        yield json.dumps({
            'txid': '%064x' % (number + 1), 'conversationId': 'conversation-%d' % conversation,
            'contact': 'kaspa:contact-%d' % conversation, 'direction': 'received',
            'senderTs': 1_700_000_000 + number, 'blockTime': (1_700_000_000 + number) * 1_000,
            'body': 'Message %d of a conversation.' % number})


class Connection:
    """One connection that asks again when its answer is whole."""

    def __init__(self, port, target, token):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.port, self.token, self.target = port, token, target
        self.first = target
        self.answers = 0

    def ask(self):
        self.socket.sendall(('GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n\r\n' % (
            self.target, self.port, self.token)).encode())
        self.bytes = bytearray()

    def read(self):
        """True once the answer is whole."""
        part = self.socket.recv(1 << 18)
        if not part:
            raise SystemExit('a connection was closed')
        self.bytes += part
        end = self.bytes.find(b'\r\n\r\n')
        if end < 0:
            return False
        head = bytes(self.bytes[:end]).decode()
        if not head.startswith('HTTP/1.1 200'):
            raise SystemExit(head)
        length = next(int(line.split(':')[1]) for line in head.split('\r\n') if line.lower().startswith('content-length'))
        return len(self.bytes) >= end + 4 + length

    def follow(self):
        """The next page, or the first one again."""
        self.answers += 1
        tail = bytes(self.bytes[-60:]).decode(errors='ignore')
        self.target = self.first + '&cursor=' + tail.split('"cursor":"')[1].split('"')[0] if '"cursor":"' in tail else self.first


def crowd(port, token, clients, seconds, count):
    """The clients, in one process."""
    chooser = selectors.DefaultSelector()
    for _ in range(clients):
        connection = Connection(port, '/v1/conversations?limit=500', token)
        connection.ask()
        chooser.register(connection.socket, selectors.EVENT_READ, connection)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key, _ in chooser.select(1):
            if key.data.read():
                count.value += 1
                key.data.follow()
                key.data.ask()


def short(port, token, seconds):
    """Milliseconds of a short request, a hundred a second."""
    connection = Connection(port, '/v1/peers', token)
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        connection.ask()
        while not connection.read():
            pass
        times.append((time.monotonic() - start) * 1_000)
        time.sleep(0.01)
    return sorted(times)


def tell(what, times):
    at = lambda share: times[min(int(len(times) * share), len(times) - 1)]
    print('%-28s p50 %7.2f ms   p99 %7.2f ms   longest %7.2f ms   (%d requests)' % (
        what, at(0.5), at(0.99), times[-1], len(times)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program', nargs='?', default='.build/release/kachat-node')
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--clients', type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='kachat-pages') as folder:
        run = [options.program, '--home', folder + '/home']
        subprocess.run(run + ['init', '--name', 'measured'], check=True, stdout=subprocess.DEVNULL)
        with open(folder + '/chat.jsonl', 'w') as file:
            file.writelines(line + '\n' for line in lines())
        subprocess.run(run + ['import', folder + '/chat.jsonl'], check=True, stdout=subprocess.DEVNULL)
        node = subprocess.Popen(
            run + ['run', '--discovery', 'off', '--listen', '127.0.0.1:0', '--api', '127.0.0.1:0', '--json'],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            ready = next(json.loads(line) for line in node.stdout if '"ready"' in line)
            port = int(ready['api'].split(':')[1])
            made = subprocess.run(
                run + ['token', 'create', '--scope', 'chat:read', '--json'], check=True, stdout=subprocess.PIPE)
            token = json.loads(made.stdout)['token']
            tell('GET /v1/peers alone', short(port, token, 2))
            count = multiprocessing.Value('i', 0)
            clients = multiprocessing.Process(
                target=crowd, args=(port, token, options.clients, options.seconds + 1, count))
            clients.start()
            time.sleep(0.5)
            tell('beside %d that list' % options.clients, short(port, token, options.seconds))
            clients.join()
            print('pages of 500 conversations    %.0f/s' % (count.value / (options.seconds + 1)))
        finally:
            node.send_signal(signal.SIGTERM)
            node.wait(timeout=30)


if __name__ == '__main__':
    main()
