package org.railyard.selftest.console;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.SessionView;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.SessionId;

/** The session of a console, with everything in it. Guarded by the lock of the console. */
public final class ConsoleSession {
    /** Most groups, and most batches. */
    public static final int MAX_NAMES = 1024;

    /** Most tests of a batch. */
    public static final int MAX_TESTS = 1024;

    /** Most bytes of a name. */
    public static final int MAX_NAME_BYTES = 31;

    /** The batch that every session has. */
    public static final String FIRST_BATCH = "batch";

    private final String name;
    private final int key;
    private final int timeoutSeconds;
    private final boolean force;
    private final SessionId id;
    private final int wantedFeatures;
    private final Map<ProcessId, ConsoleNode> nodes = new LinkedHashMap<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, ConsoleBatch> batches = new LinkedHashMap<>();
    private int features = -1;
    private long batchCount;
    private long lastUsed;

    /**
     * Makes a session without nodes.
     *
     * @throws ErrnoException EINVAL if the name is empty or too long
     */
    public ConsoleSession(
            String name, int key, int timeoutSeconds, boolean force, SessionId id, int wantedFeatures, long now) {
        this.name = checked("session", name);
        this.key = key;
        this.timeoutSeconds = timeoutSeconds;
        this.force = force;
        this.id = id;
        this.wantedFeatures = wantedFeatures & RpcMessage.KNOWN_FEATURES;
        this.lastUsed = now;
        addBatch(FIRST_BATCH);
    }

    private static String checked(String what, String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_NAME_BYTES) {
            throw new ErrnoException(
                    Errno.EINVAL, "name of a " + what + " has " + bytes + " bytes; expected 1 to " + MAX_NAME_BYTES);
        }
        return name;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns what those must know who use it. */
    public int key() {
        return key;
    }

    /** Returns after how long without use it ends, s; 0 for never. */
    public int timeoutSeconds() {
        return timeoutSeconds;
    }

    /** Tells whether it may take nodes from other sessions. */
    public boolean force() {
        return force;
    }

    /** Returns its name on the wire. */
    public SessionId id() {
        return id;
    }

    /** Returns the feature bits of requests: what the first node said, before that what is wanted. */
    public int features() {
        return features < 0 ? wantedFeatures : features;
    }

    /** Takes the feature bits of the node that answered first; tells whether those of a node are the same. */
    public boolean agrees(int ofNode) {
        if (features < 0) {
            features = ofNode & RpcMessage.KNOWN_FEATURES;
        }
        return features == ofNode;
    }

    /** Notes that somebody used it. */
    public void use(long now) {
        lastUsed = now;
    }

    /** Tells whether nobody has used it for too long. */
    public boolean isIdle(long now) {
        return timeoutSeconds > 0 && now - lastUsed >= timeoutSeconds * 1_000_000_000L;
    }

    /** Returns its nodes, in the order in which they became known. */
    public Collection<ConsoleNode> nodes() {
        return nodes.values();
    }

    /** Returns its groups, in the order in which they were made. */
    public Collection<Group> groups() {
        return groups.values();
    }

    /** Returns its batches, in the order in which they were made. */
    public Collection<ConsoleBatch> batches() {
        return batches.values();
    }

    /**
     * Adds nodes to a group: both are known from now on, or neither is if something is refused.
     *
     * @param wanted name of the group, made now if there is none
     * @return the nodes
     * @throws ErrnoException EINVAL for a bad name or if a node has no IPv4 address, ENOSPC if there are too many
     */
    public List<ConsoleNode> add(String wanted, List<ProcessId> ids) {
        try {
            List<ConsoleNode> added = ids.stream().map(this::node).toList();
            Group group = groupOrNew(wanted);
            added.forEach(group::add);
            return added;
        } catch (ErrnoException e) {
            forgetNodesWithoutGroup();
            throw e;
        }
    }

    private ConsoleNode node(ProcessId node) {
        if (!node.nid().isNid4()) {
            throw new ErrnoException(
                    Errno.EINVAL, node.nid() + " has no IPv4 address; messages of selftest have no room for it");
        }
        ConsoleNode known = nodes.get(node);
        if (known == null) {
            if (nodes.size() == TestSpec.MAX_NODES) {
                throw new ErrnoException(Errno.ENOSPC, "the session has " + TestSpec.MAX_NODES + " nodes, the limit");
            }
            known = new ConsoleNode(node);
            nodes.put(node, known);
        }
        return known;
    }

    /**
     * Returns the nodes that are meant.
     *
     * @throws ErrnoException ENOENT if there is no such group, batch or node
     */
    public List<ConsoleNode> find(Who who) {
        return switch (who) {
            case Who.All() -> List.copyOf(nodes.values());
            case Who.OfGroup(String group) -> List.copyOf(group(group).nodes());
            case Who.OfBatch(String batch, boolean called) ->
                batch(batch).tests().stream()
                        .flatMap(test -> (called ? test.to() : test.from()).nodes().stream())
                        .distinct()
                        .toList();
            case Who.Nodes(List<ProcessId> ids) -> ids.stream().map(this::known).toList();
        };
    }

    private ConsoleNode known(ProcessId id) {
        ConsoleNode node = nodes.get(id);
        if (node == null) {
            throw new ErrnoException(Errno.ENOENT, id.nid() + " is in no group of the session");
        }
        return node;
    }

    /** Forgets nodes that are in no group. */
    public void forgetNodesWithoutGroup() {
        nodes.keySet().removeIf(node -> groups.values().stream().noneMatch(group -> group.has(node)));
    }

    private static String known(String kind, Set<String> names) {
        return names.isEmpty() ? "there are no " + kind : kind + ": " + String.join(", ", names);
    }

    /**
     * Returns the group with a name.
     *
     * @throws ErrnoException ENOENT if there is none
     */
    public Group group(String wanted) {
        Group group = groups.get(wanted);
        if (group == null) {
            throw new ErrnoException(
                    Errno.ENOENT, "there is no group '" + wanted + "'; " + known("groups", groups.keySet()));
        }
        return group;
    }

    private Group groupOrNew(String wanted) {
        Group group = groups.get(wanted);
        if (group == null) {
            if (groups.size() == MAX_NAMES) {
                throw new ErrnoException(Errno.ENOSPC, "the session has " + MAX_NAMES + " groups, the limit");
            }
            group = new Group(checked("group", wanted));
            groups.put(wanted, group);
        }
        return group;
    }

    /**
     * Takes a group away.
     *
     * @throws ErrnoException ENOENT if there is none, EBUSY if a test needs it
     */
    public void removeGroup(String wanted) {
        Group group = group(wanted);
        for (ConsoleBatch batch : batches.values()) {
            if (batch.uses(group)) {
                throw new ErrnoException(Errno.EBUSY, "group '" + wanted + "' is part of a test");
            }
        }
        groups.remove(wanted);
        forgetNodesWithoutGroup();
    }

    /**
     * Returns the batch with a name.
     *
     * @throws ErrnoException ENOENT if there is none
     */
    public ConsoleBatch batch(String wanted) {
        ConsoleBatch batch = batches.get(wanted);
        if (batch == null) {
            throw new ErrnoException(
                    Errno.ENOENT, "there is no batch '" + wanted + "'; " + known("batches", batches.keySet()));
        }
        return batch;
    }

    /**
     * Makes a batch.
     *
     * @throws ErrnoException EEXIST if there is one, EINVAL for a bad name, ENOSPC if there are too many
     */
    public void addBatch(String wanted) {
        if (batches.containsKey(wanted)) {
            throw new ErrnoException(Errno.EEXIST, "there is a batch '" + wanted + "' already");
        }
        if (batches.size() == MAX_NAMES) {
            throw new ErrnoException(Errno.ENOSPC, "the session has " + MAX_NAMES + " batches, the limit");
        }
        batches.put(wanted, new ConsoleBatch(checked("batch", wanted), ++batchCount));
    }

    /** Returns what there is to be seen of it. */
    public SessionView view() {
        return new SessionView(
                name, key, features(), timeoutSeconds, force, id.toString(), groups.size(), batches.size());
    }
}
