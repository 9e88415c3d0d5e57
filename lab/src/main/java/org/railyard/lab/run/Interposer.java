package org.railyard.lab.run;

import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.selftest.api.RpcWatch;

/**
 * Places of a run where something can be put in between. Whoever wants to know whether the checkers see a defect puts
 * it there.
 */
public interface Interposer {
    /** Puts nothing anywhere. */
    Interposer NONE = new Interposer() {
        @Override
        public boolean needsBytes() {
            return false;
        }
    };

    /**
     * Tells whether it looks at payload, or changes it: then all bytes of it are copied, and no references stand for
     * them ({@code org.railyard.lab.payload}).
     */
    default boolean needsBytes() {
        return true;
    }

    /** Gets the simulated LND of a node; what is returned is watched. */
    default LndProvider belowWatch(LndProvider lnd) {
        return lnd;
    }

    /** Gets the watched LND of a node; what is returned is the stack's. */
    default LndProvider aboveWatch(LndProvider lnd) {
        return lnd;
    }

    /** Gets a handler of events; what is returned is given to the stack. */
    default EventHandler handler(EventHandler handler) {
        return handler;
    }

    /** Gets the watch of a node's calls of selftest; what is returned is told of them. */
    default RpcWatch selftest(RpcWatch watch) {
        return watch;
    }
}
