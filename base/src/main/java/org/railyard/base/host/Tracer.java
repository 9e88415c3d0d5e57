package org.railyard.base.host;

/**
 * Takes down what happens while a tool records this process. While none does, to ask {@link #wants} takes a nanosecond
 * and allocates nothing; so whoever has something to tell asks first and makes it afterwards. Thread-safe; called with
 * locks held, so it waits for nobody.
 */
public interface Tracer {
    /** Records nothing. */
    Tracer NONE = new Tracer() {
        @Override
        public boolean wants(Traced.Kind kind) {
            return false;
        }

        @Override
        public void trace(Traced happened) {
            // Nobody records.
        }
    };

    /** Tells whether what happens of a kind is recorded now. */
    boolean wants(Traced.Kind kind);

    /** Takes something down that happened now. */
    void trace(Traced happened);
}
