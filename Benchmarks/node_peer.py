#!/usr/bin/env python3
"""Drives kachat-node in the peers kit: two network namespaces, the same segments as every other peer, CPU by cgroup.

Copy this file into the kit as node_peer.py, set KACHAT_NODE to the binary (default: .build/release/kachat-node in the
current folder), and run `./run.sh node W1,W2,W3,W4 -n 40000 -r 3`. The node is driven by `bench worker peer`: JSON
lines in and out, one for each call, answered once what was asked for is durable."""
import queue
import threading

from lib import *

BINARY = os.path.abspath(os.environ.get('KACHAT_NODE', '.build/release/kachat-node'))
PORT = 47770
# Each node's description of itself is a record too.
OWN = 2


class Node:
    """One node in its side's namespace and cgroup."""

    def __init__(self, side, home):
        self.side = side
        err = open(os.path.join(WORK, 'kachat-%s.err' % side.letter), 'a')
        self.p = side.spawn([BINARY, 'bench', 'worker', 'peer', '--home', home, '--port', str(PORT)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True)
        self.answers, self.events = queue.Queue(), queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.event('up', 60)

    def _read(self):
        for line in self.p.stdout:
            j = json.loads(line)
            (self.events if 'ev' in j else self.answers).put(j)

    def call(self, op, timeout=1200, **arguments):
        self.p.stdin.write(json.dumps(dict(op=op, **arguments)) + '\n')
        self.p.stdin.flush()
        answer = self.answers.get(timeout=timeout)
        if 'err' in answer:
            raise RuntimeError(answer['err'])
        return answer

    def event(self, name, timeout):
        while True:
            j = self.events.get(timeout=timeout)
            if j['ev'] == name:
                return j

    def stop(self):
        self.side.stop(self.p)


def init(side, home, phrase=None):
    """Makes a home outside of the measurement; returns the phrase of a new account."""
    command = [BINARY, '--home', home, 'init', '--name', side.letter, '--json']
    if phrase:
        path = home + '.phrase'
        with open(path, 'w') as f:
            f.write(phrase + '\n')
        command += ['--phrase-file', path]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout).get('phrase')


class Ours(Peer):
    name = 'kachat-node (Noise, durable)'
    na = nb = None
    total = 0

    def spool(self, segs):
        paths = []
        for name, data in segs:
            path = os.path.join(self.sp, name)
            with open(path, 'wb') as f:
                f.write(data)
            paths.append(path)
        return paths

    def add(self, node, paths):
        for i in range(0, len(paths), 256):
            node.call('add', files=paths[i:i + 256])

    def prepare(self):
        self.sp = fresh('spool')
        self.home_a = os.path.join(fresh('a'), 'home')
        self.phrase = init(self.net.a, self.home_a)
        self.na = Node(self.net.a, self.home_a)
        self.add(self.na, [os.path.join(self.src, rel(name)) for name in self.names])
        self.total = self.n + OWN

    def wipe_b(self):
        self.nb.stop()
        self.nb = None
        # The device that goes leaves its description behind.
        self.total += 1
        time.sleep(1)

    def restore(self):
        self.home_b = os.path.join(fresh('b'), 'home')
        init(self.net.b, self.home_b, self.phrase)
        self.nb = Node(self.net.b, self.home_b)
        self.nb.call('want', n=self.total)
        self.nb.call('dial', host=self.net.a.ip, port=PORT)
        self.nb.event('reached', 1200)

    def verify(self):
        r = self.nb.call('count')
        assert r['n'] >= self.total and r['wanted'] == 0, r

    def add_a(self, segs):
        self.total += len(segs)
        if self.apart:
            self.na = self.na or Node(self.net.a, self.home_a)
        else:
            self.nb.call('want', n=self.total)
        self.add(self.na, self.spool(segs))

    def add_b(self, segs):
        self.total += len(segs)
        if self.apart:
            self.nb = Node(self.net.b, self.home_b)
        self.add(self.nb, self.spool(segs))
        if self.apart:
            self.nb.stop()
            self.nb = None

    apart = False

    def until_b(self, segs):
        self.nb.event('reached', 120)

    def cut(self):
        # A node remembers addresses that worked: only one of the two runs until they meet again.
        self.apart = True
        for node in (self.na, self.nb):
            node.stop()
        self.na = self.nb = None

    def join(self, for_a, for_b):
        self.na.call('want', n=self.total)
        self.nb = Node(self.net.b, self.home_b)
        self.nb.call('want', n=self.total)
        self.nb.call('dial', host=self.net.a.ip, port=PORT)
        self.na.event('reached', 120)
        self.nb.event('reached', 120)
        self.apart = False

    def stop(self):
        for node in (self.na, self.nb):
            if node:
                node.stop()


if __name__ == '__main__':
    main({'node': Ours})
