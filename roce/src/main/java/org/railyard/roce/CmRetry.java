package org.railyard.roce;

/** Says something again and again, more and more seldom, until it is answered or has been said too often. */
final class CmRetry {
    private final ProviderThread engine;
    private final RoceSettings settings;
    private final Runnable say;
    private final Runnable givenUp;
    private final Timers.Timer timer = new Timers.Timer(this::onTimer);
    private int said;
    private long pause;

    CmRetry(ProviderThread engine, RoceSettings settings, Runnable say, Runnable givenUp) {
        this.engine = engine;
        this.settings = settings;
        this.say = say;
        this.givenUp = givenUp;
    }

    void begin() {
        said = 0;
        pause = settings.managerTimeoutNanos();
        say.run();
        startTimer();
    }

    private void startTimer() {
        engine.timers().set(timer, engine.now() + pause);
    }

    private void onTimer() {
        if (said++ < settings.managerRetries()) {
            pause = Math.min(RoceSettings.MAX_MANAGER_TIMEOUT_NANOS, pause * 2);
            say.run();
            startTimer();
        } else {
            givenUp.run();
        }
    }

    /** The other side says that its answer takes time: as if it had just been asked for the first time. */
    void bePatient() {
        if (timer.isSet()) {
            said = 0;
            pause = RoceSettings.MAX_MANAGER_TIMEOUT_NANOS;
            startTimer();
        }
    }

    /** The answer is there, or is not wanted any more. */
    void end() {
        engine.timers().cancel(timer);
    }
}
