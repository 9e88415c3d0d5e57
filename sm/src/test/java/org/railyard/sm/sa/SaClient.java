package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sim.VirtualLoop;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.model.SubnetSnapshot;

/** Asks a subnet administration as a port of the subnet, without a fabric between; keeps what it sends by itself. */
final class SaClient {
    /** Components of a request to join a group that is there. */
    static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();

    /** Those of one that makes the group, too. */
    static final long CREATE = JOIN
            | McMemberRecord.Q_KEY.mask()
            | McMemberRecord.P_KEY.mask()
            | McMemberRecord.TCLASS.mask()
            | McMemberRecord.SL.mask()
            | McMemberRecord.FLOW_LABEL.mask();

    static final long KEY = 1;

    final VirtualLoop loop = new VirtualLoop();
    final List<Mad> sent = new ArrayList<>();
    final List<MadAddress> sentTo = new ArrayList<>();
    final List<List<GroupMembers>> routed = new ArrayList<>();
    final List<List<PortGuids>> given = new ArrayList<>();
    /** What subnet managers say of themselves. */
    final List<SmInfo> managers = new ArrayList<>();

    final SubnetAdministration sa;
    private final Wire wire = new Wire();
    int lid;

    /** One that knows no subnet yet. */
    SaClient(SaSettings settings, int lid) {
        MadRequests requests = new MadRequests(wire, RequestSettings.DEFAULT, (mad, from) -> {});
        sa = new SubnetAdministration(
                settings, requests, loop, this::groupsChanged, this::guidsChanged, () -> managers);
        this.lid = lid;
    }

    SaClient(SaSettings settings, SubnetSnapshot snapshot, int lid) {
        this(settings, lid);
        managers.add(Snapshots.manager(snapshot));
        sa.update(snapshot);
    }

    private void groupsChanged() {
        routed.add(sa.groups());
    }

    private void guidsChanged() {
        given.add(sa.portGuids());
    }

    Mad ask(Mad request) {
        Mad answer = sa.answer(request, MadAddress.gmp(lid, 0)).orElseThrow();
        sa.checkInvariants();
        return answer;
    }

    Mad askTrusted(Mad request) {
        request.saHeader().set(SaHeader.SM_KEY, KEY);
        return ask(request);
    }

    /** Lets the one who was told something say that it was. */
    void confirm(Mad report) {
        Mad answer = report.copy().set(Mad.RESPONSE, 1);
        Objects.requireNonNull(wire.to).received(answer, sentTo.get(sent.indexOf(report)));
    }

    /** Confirms reports as they come until none comes any more. */
    void confirmAll() {
        loop.runFor(0);
        for (int i = 0; i < sent.size(); i++) {
            confirm(sent.get(i));
            loop.runFor(0);
        }
    }

    /** Takes what is sent, and never answers. */
    private final class Wire implements MadTransport {
        private @Nullable MadReceiver to;

        @Override
        public MadLoop loop() {
            return loop;
        }

        @Override
        public LocalPort port() {
            return new LocalPort("test", 1, 1);
        }

        @Override
        public void receiver(MadReceiver receiver) {
            to = receiver;
        }

        @Override
        public void send(Mad mad, MadAddress address, int timeoutMillis) {
            sent.add(mad.copy());
            sentTo.add(address);
        }

        @Override
        public int maxOutstanding() {
            return 64;
        }

        @Override
        public boolean reportsTimeouts() {
            return false;
        }

        @Override
        public boolean reassembles() {
            return true;
        }

        @Override
        public void markSm(boolean isSm) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }
}
