package org.railyard.host.jfr;

import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;

/**
 * Makes events of JDK Flight Recorder of what happens. To ask costs a read of one field without a recorder, of two with
 * it: whether a kind is recorded is asked of an event that is made once and never recorded, so nothing is allocated
 * while nobody records. Thread-safe.
 */
public final class JfrTracer implements Tracer {
    /** What the names of all events begin with. */
    static final String PREFIX = "railyard.";

    /**
     * Loaded with the first question after there is a recorder: before, nobody can record, and to load what JFR needs
     * takes a process that starts a third of its time.
     */
    private static final class Events {
        private static final Event MESSAGE = new MessageEvent();
        private static final Event RESEND = new ResendEvent();
        private static final Event HEALTH_CHANGE = new HealthChangeEvent();
        private static final Event DISCOVERY = new DiscoveryEvent();
        private static final Event RETRANSMISSION = new RetransmissionEvent();
        private static final Event SWEEP = new SweepEvent();

        static boolean wants(Traced.Kind kind) {
            return switch (kind) {
                case MESSAGE -> MESSAGE.isEnabled();
                case RESEND -> RESEND.isEnabled();
                case HEALTH_CHANGE -> HEALTH_CHANGE.isEnabled();
                case DISCOVERY -> DISCOVERY.isEnabled();
                case RETRANSMISSION -> RETRANSMISSION.isEnabled();
                case SWEEP -> SWEEP.isEnabled();
            };
        }
    }

    /** Makes one. */
    public JfrTracer() {}

    /** Returns the text of something, null of nothing. */
    static @Nullable String text(@Nullable Object named) {
        return named == null ? null : named.toString();
    }

    @Override
    public boolean wants(Traced.Kind kind) {
        return FlightRecorder.isInitialized() && Events.wants(kind);
    }

    @Override
    public void trace(Traced happened) {
        switch (happened) {
            case Traced.Message message -> MessageEvent.commit(message);
            case Traced.Resend resend -> ResendEvent.commit(resend);
            case Traced.HealthChange change -> HealthChangeEvent.commit(change);
            case Traced.Discovery discovery -> DiscoveryEvent.commit(discovery);
            case Traced.Retransmission retransmission -> RetransmissionEvent.commit(retransmission);
            case Traced.Sweep sweep -> SweepEvent.commit(sweep);
        }
    }
}
