"""Programs that tests start hear signals, also where the tests themselves were started in the background, which makes
shells ignore Ctrl-C and hang-up for them and for all that they start."""

import signal
import threading

if threading.current_thread() is threading.main_thread():
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
