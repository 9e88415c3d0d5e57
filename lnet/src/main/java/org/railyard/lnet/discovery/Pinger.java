package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.peer.PeerConfigurator;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/** Pings on request: a GET on portal 0 that changes nothing but to make the peer known (spec 01 §8.1, 12 §4.8). */
public final class Pinger {
    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;

    /** Makes a pinger. */
    public Pinger(Node node, Sender sender, Descriptors descriptors) {
        this.node = node;
        this.sender = sender;
        this.descriptors = descriptors;
    }

    /**
     * Pings.
     *
     * @param target whom
     * @param source the local NID to ping from, {@link Nid#ANY} for any
     * @param timeoutNanos limit for the answer, ns, above 0
     * @param probe whether the outcome changes no health
     * @return the answer, or an {@link ErrnoException}
     * @throws ErrnoException EINVAL for the wildcard; ENOBUFS, ENOMEM; ESHUTDOWN when the node is stopping
     */
    public CompletableFuture<PingReply> ping(Nid target, Nid source, long timeoutNanos, boolean probe) {
        PeerConfigurator.requireNode(target);
        CompletableFuture<PingReply> answer = new CompletableFuture<>();
        MemorySegment memory = OwnMemory.allocate(PingInfo.PING_BUFFER);
        MemoryDescriptor md = descriptors.bind(MdConfig.of(memory)
                .withOptions(MdOption.TRUNCATE)
                .withThreshold(2)
                .withAutoUnlink()
                .withTimeoutNanos(timeoutNanos)
                .withHandler(event -> onEvent(target, event, memory, answer)));
        md.probe = probe;
        try {
            sender.get(md, source, ProcessId.of(target), Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, false);
        } catch (ErrnoException e) {
            descriptors.withdraw(md);
            throw e;
        }
        return answer;
    }

    private void onEvent(Nid target, Event event, MemorySegment memory, CompletableFuture<PingReply> answer) {
        if (event.status() < 0) {
            Errno errno = Errno.ofStatus(event.status());
            answer.completeExceptionally(new ErrnoException(errno, "ping of " + target + ": " + errno.text()));
            if (event.kind() == EventKind.SEND) {
                descriptors.withdraw((MemoryDescriptor) event.md());
            }
        } else if (event.kind() == EventKind.REPLY) {
            try {
                PingInfo info = PingInfo.read(memory, 0, event.mlength(), node.settings.get(Tunable.MAX_INTERFACES));
                answer.complete(reply(target, info));
            } catch (WireFormatException e) {
                answer.completeExceptionally(
                        new ErrnoException(Errno.EPROTO, "ping of " + target + ": " + e.getMessage(), e));
            }
        } else if (event.kind() == EventKind.UNLINK) {
            // Nobody but the node unlinks the descriptor: at the end, or because the answer does not come.
            Errno errno = node.locked(stack -> stack.stopping) ? Errno.ESHUTDOWN : Errno.ETIMEDOUT;
            answer.completeExceptionally(new ErrnoException(errno, "ping of " + target + ": " + errno.text()));
        }
    }

    private PingReply reply(Nid target, PingInfo info) {
        List<Nid> nids = info.entries().stream().map(PingInfo.Entry::nid).toList();
        node.lock.lock();
        try {
            PeerNi ni = node.peers.find(target);
            Peer peer = ni == null ? null : ni.peer();
            boolean discovered = peer != null && peer.is(PeerState.DISCOVERED | PeerState.MULTI_RAIL);
            boolean multiRail = (discovered && node.nis.find(target) == null) || target.isLoopback();
            return new PingReply(discovered && peer != null ? peer.primaryNid : target, multiRail, nids, info);
        } finally {
            node.lock.unlock();
        }
    }
}
