"""Attacks `translate serve`.

serve_attack.py drip URL: fifty connections that send a byte every half second, and fifty that send nothing, until it is ended.
serve_attack.py flood URL [REQUESTS] [CONNECTIONS] [SLOW]: so many questions (10000) over so many connections (50), with so many
slow ones beside them (50, and as many that send nothing), and one long question after the other; prints figures as JSON. Ends
with 1 where an answer was lost, or where one differs from the first to the same question.
"""

import http.client
import json
import socket
import sys
import threading
import time
from urllib.parse import urlsplit

LONG = "the cat sleeps and " * 50
SHORT = ["The cat sleeps.", "A dog runs.", "The small cats see a dog and the dogs see a small cat here."]


def slow_ones(address, count):
    """Connections that drip, each with a part of a request."""
    request = b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n"
    dripping, idle, sent = [], [], 0
    while True:
        for kept in (dripping, idle):
            while len(kept) < count:
                try:
                    kept.append(socket.create_connection(address, timeout=5))
                except OSError:
                    break
        for each in list(dripping):
            try:
                each.setblocking(False)
                each.send(request[sent % 100:sent % 100 + 1] if sent < 100 else b"x")
                if each.recv(1, socket.MSG_PEEK) is not None:  # an answer, or the end
                    dripping.remove(each)
                    each.close()
            except BlockingIOError:
                pass
            except OSError:
                dripping.remove(each)
        sent += 1
        time.sleep(0.5)


def ask(connection, question):
    connection.request("POST", "/translate", json.dumps(question), {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, response.read()


def flood(address, requests, connections, slow):
    threading.Thread(target=slow_ones, args=(address, slow), daemon=True).start()
    lock = threading.Lock()
    left, times, wrong, first, ended = [requests], [], [], {}, threading.Event()
    refused = [0]
    long_answers = [0]

    def ask_briefly():
        connection = http.client.HTTPConnection(*address, timeout=120)
        while True:
            with lock:
                if left[0] == 0:
                    return
                left[0] -= 1
                sentence = SHORT[left[0] % len(SHORT)]
            begun = time.monotonic()
            try:
                status, body = ask(connection, {"sentence": sentence, "beam": 3})
            except (OSError, http.client.HTTPException) as error:
                with lock:
                    wrong.append(repr(error))
                connection.close()
                continue
            with lock:
                times.append(time.monotonic() - begun)
                if status == 503:
                    refused[0] += 1
                elif status != 200 or first.setdefault(sentence, body) != body:
                    wrong.append(f"{status}: {body[:200]!r}")

    def ask_at_length():
        connection = http.client.HTTPConnection(*address, timeout=120)
        while not ended.is_set():
            status, _ = ask(connection, {"sentence": LONG, "beam": 10, "html": True})
            long_answers[0] += status == 200

    begun = time.monotonic()
    threading.Thread(target=ask_at_length, daemon=True).start()
    askers = [threading.Thread(target=ask_briefly) for _ in range(connections)]
    for each in askers:
        each.start()
    for each in askers:
        each.join()
    ended.set()
    seconds = time.monotonic() - begun
    times.sort()
    print(json.dumps({
        "requests": requests, "answered": len(times) - refused[0], "told_that_the_queue_is_full": refused[0],
        "wrong_or_lost": len(wrong), "seconds": round(seconds, 1), "a_second": round(requests / seconds),
        "median_ms": round(1000 * times[len(times) // 2]), "p99_ms": round(1000 * times[len(times) * 99 // 100]),
        "longest_ms": round(1000 * times[-1]), "long_answers_meanwhile": long_answers[0]}))
    for each in wrong[:5]:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


def main():
    url = urlsplit(sys.argv[2])
    address = (url.hostname, url.port)
    if sys.argv[1] == "drip":
        slow_ones(address, 50)
    numbers = [int(each) for each in sys.argv[3:]] + [10000, 50, 50][len(sys.argv) - 3:]
    return flood(address, *numbers)


if __name__ == "__main__":
    sys.exit(main())
