package org.railyard.o2iblnd.cm;

import org.jspecify.annotations.Nullable;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.VerbsException;

/**
 * Asks which path leads to a peer now, without connecting with it. Answers once, be it that there is none; not if it is
 * closed before. Belongs to the loop.
 */
public final class PathLookup {
    /** Takes the answer. */
    @FunctionalInterface
    public interface Answer {
        /** Takes the path; null if none was found. */
        void take(PathLookup lookup, @Nullable PathRecord path);
    }

    private final NiContext ni;
    private final Answer answer;
    private @Nullable CmId id;
    private boolean ended;

    /** Prepares it. */
    public PathLookup(NiContext ni, Answer answer) {
        this.ni = ni;
        this.answer = answer;
    }

    /** Begins; the addresses are IPv4, first octet in the highest bits. */
    public void begin(int localIp, int remoteIp) {
        try {
            CmId made = ni.context().verbs().createId(ni.loop(), this::onCmEvent);
            id = made;
            made.bind(new CmAddress(localIp, 0), true);
            made.resolveAddress(new CmAddress(remoteIp, ni.tunable(O2ibTunable.SERVICE)), ActiveConnect.RESOLVE_NANOS);
        } catch (VerbsException e) {
            end(null);
        }
    }

    private void onCmEvent(CmId which, CmEvent event) {
        if (ended) {
            return;
        }
        if (event.type() == CmEvent.Type.ADDRESS_RESOLVED) {
            try {
                which.resolveRoute(ni.tunable(O2ibTunable.TOS), ActiveConnect.RESOLVE_NANOS);
            } catch (VerbsException e) {
                end(null);
            }
        } else {
            end(event.type() == CmEvent.Type.ROUTE_RESOLVED ? which.path() : null);
        }
    }

    private void end(@Nullable PathRecord path) {
        close();
        answer.take(this, path);
    }

    /** Ends it; nothing is answered any more. */
    public void close() {
        ended = true;
        CmId made = id;
        if (made != null) {
            id = null;
            made.close();
        }
    }
}
