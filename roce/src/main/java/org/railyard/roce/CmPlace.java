package org.railyard.roce;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.VerbsException;

/** Where one end of a connection is, and where the other: addresses, the port, the way between them. */
final class CmPlace {
    private static final CmAddress NOWHERE = new CmAddress(0, 0);

    /** A path like any other: what kernel nodes say of theirs, without a flow label. */
    private static final int RATE_UNKNOWN = 7;

    private final CmAgent agent;
    private CmAddress local = NOWHERE;
    private CmAddress remote = NOWHERE;
    private boolean bound;
    private @Nullable RocePort port;
    private @Nullable UdpRoute route;
    private @Nullable PathRecord path;

    CmPlace(CmAgent agent) {
        this.agent = agent;
    }

    CmAddress local() {
        return local;
    }

    CmAddress remote() {
        return remote;
    }

    @Nullable
    RocePort port() {
        return port;
    }

    @Nullable
    PathRecord path() {
        return path;
    }

    RocePort knownPort() {
        return known(port, "device");
    }

    UdpRoute knownRoute() {
        return known(route, "path");
    }

    /** Returns something that must be there by now. */
    static <T> T known(@Nullable T thing, String what) {
        if (thing == null) {
            throw new VerbsException(VerbsException.Code.EINVAL, "the " + what + " is not known yet");
        }
        return thing;
    }

    /** Takes an address of this side. */
    void bind(CmAddress wanted, boolean reuse) {
        RocePort found = agent.port(wanted.ip());
        if (bound || found == null && wanted.ip() != 0) {
            throw new VerbsException(
                    bound ? VerbsException.Code.EINVAL : VerbsException.Code.EADDRNOTAVAIL,
                    bound ? "it is bound to " + local : "no device of this provider has " + wanted);
        }
        local = agent.addresses().bind(wanted, reuse);
        bound = true;
        port = found;
    }

    /** Finds the port that leads to an address; false if none that is up does. */
    boolean leadTo(CmAddress destination) {
        remote = destination;
        RocePort found = port == null ? agent.portTowards(destination.ip()) : port;
        if (found == null || !found.device().isUp()) {
            return false;
        }
        if (!bound) {
            local = agent.addresses().bind(new CmAddress(found.device().at().ip(), 0), true);
            bound = true;
        }
        port = found;
        return true;
    }

    /** The other side has come to a port of this one. */
    void visited(RocePort own, CmAddress ownAddress, CmAddress itsAddress) {
        port = own;
        local = ownAddress;
        remote = itsAddress;
    }

    /** Finds the way to the other side; returns it. */
    UdpRoute findPath() {
        RocePort own = knownPort();
        UdpRoute way = own.routeTo(remote.ip());
        route = way;
        path = new PathRecord(
                0, 0, 0, own.device().at().pathMtu(), own.device().port(1).linkRate());
        return way;
    }

    /** Returns a request for a connection from here to there. */
    CmRequest request(
            int number, RoceQp qp, int psn, ConnectParameters parameters, int ackTimeout, MemorySegment data) {
        RoceDevice own = knownPort().device();
        return new CmRequest(
                number,
                own.guid(),
                qp.number(),
                psn,
                parameters.retryCount(),
                parameters.rnrRetryCount(),
                CmAgent.mtuCode(own.at().pathMtu()),
                ackTimeout,
                RATE_UNKNOWN,
                local.ip(),
                local.port(),
                remote.ip(),
                remote.port(),
                data);
    }

    /** Gives the address of this side back. */
    void release() {
        if (bound) {
            agent.addresses().unbind(local);
            bound = false;
        }
    }
}
