package org.railyard.sm.conf;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.layout.Gid;

/** Reads a partition file: statements {@code definition : properties ;} over any number of lines. */
final class PartitionParser {
    private static final int MAX_KEY = 0x7FFF;

    private final ConfText in;
    /** Keys that the file names somewhere: others are free for partitions without key. */
    private final Set<Integer> named;

    private final Map<Integer, Draft> drafts = new LinkedHashMap<>();
    /** By name: the key of the first partition with it. */
    private final Map<String, Integer> keys = new TreeMap<>(Map.of(Partition.DEFAULT_NAME, Partition.DEFAULT_KEY));

    private final List<ConfRemark> remarks = new ArrayList<>();
    private int rules;

    /** A partition as far as it is read: one key may have several statements. */
    private static final class Draft {
        private final String name;
        private final int key;
        private int sl;
        private final List<PartitionMember> members = new ArrayList<>();
        private final Map<Gid, PartitionGroup> groups = new LinkedHashMap<>();

        Draft(String name, int key) {
            this.name = name;
            this.key = key;
        }
    }

    private PartitionParser(String text, Set<Integer> named) {
        in = new ConfText(text, PartitionsConf.MAX_TEXT);
        this.named = named;
    }

    /** Reads a file: once for the keys that it names, then for the rest. */
    static PartitionParser parse(String text) {
        Set<Integer> named = new TreeSet<>();
        new PartitionParser(text, named).statements();
        PartitionParser parser = new PartitionParser(text, Set.copyOf(named));
        parser.statements();
        return parser;
    }

    List<ConfRemark> remarks() {
        return remarks;
    }

    List<Partition> partitions() {
        List<Partition> all = new ArrayList<>();
        for (Draft draft : drafts.values()) {
            all.add(new Partition(draft.name, draft.key, draft.sl, draft.members, List.copyOf(draft.groups.values())));
        }
        return all;
    }

    private void statements() {
        while (!in.atEnd()) {
            statement();
        }
    }

    private void statement() {
        Draft draft = definition();
        GroupFlags flags = new GroupFlags(draft.sl);
        boolean ipoib = false;
        PartitionMembership standard = PartitionMembership.LIMITED;
        while (in.accept(',')) {
            String flag = in.required("a flag").toLowerCase(Locale.ROOT);
            switch (flag) {
                case "ipoib" -> ipoib = true;
                case "indx0" -> index0(draft);
                case "defmember" -> standard = defaultMembership();
                default -> flags.read(flag);
            }
        }
        in.expect(':');
        draft.sl = flags.sl;
        if (ipoib) {
            for (int scope : flags.scopes()) {
                add(draft, PartitionGroup.broadcast(draft.key, scope), flags);
            }
        }
        properties(draft, flags, standard);
        in.expect(';');
    }

    private void index0(Draft draft) {
        if (draft.key != Partition.DEFAULT_KEY) {
            remarks.add(in.remarkAtWord("indx0 is not used: the key of the default partition stays the first"));
        }
    }

    private Draft definition() {
        String name = in.word();
        Integer ofName = keys.get(name);
        int key;
        if (in.accept('=')) {
            key = (int) in.number(in.required("a P_Key"), 0, 0xFFFF, "a P_Key") & MAX_KEY;
            if (key == 0) {
                throw in.failAtWord("a P_Key that is not 0");
            }
            if (!named.contains(key)) {
                named.add(key);
            }
        } else if (ofName != null) {
            key = ofName;
        } else {
            key = freeKey();
            remarks.add(in.remarkAtWord(
                    "partition \"%s\" has no P_Key and gets 0x%04x: write one, another subnet manager may choose another"
                            .formatted(name, key)));
        }
        Draft known = drafts.get(key);
        if (known == null) {
            if (drafts.size() == PartitionsConf.MAX_PARTITIONS) {
                throw in.fail("at most " + PartitionsConf.MAX_PARTITIONS + " partitions");
            }
            known = new Draft(name, key);
            drafts.put(key, known);
            if (!name.isEmpty()) {
                keys.putIfAbsent(name, key);
            }
        }
        return known;
    }

    private int freeKey() {
        int key = 1;
        while (drafts.containsKey(key) || named.contains(key)) {
            key++;
        }
        return key;
    }

    private PartitionMembership defaultMembership() {
        in.expect('=');
        return membership(in.required("full, limited or both"));
    }

    private PartitionMembership membership(String word) {
        for (PartitionMembership one : PartitionMembership.values()) {
            if (one.name().equalsIgnoreCase(word)) {
                return one;
            }
        }
        remarks.add(
                in.remarkAtWord("membership \"" + word + "\" is not known (full, limited, both): limited is taken"));
        return PartitionMembership.LIMITED;
    }

    private void properties(Draft draft, GroupFlags partitionFlags, PartitionMembership given) {
        PartitionMembership standard = given;
        while (!in.isNext(';') && !in.atEnd()) {
            String word = in.required("a port, mgid= or \";\"");
            String lower = word.toLowerCase(Locale.ROOT);
            if (lower.equals("mgid")) {
                group(draft, partitionFlags);
            } else if (lower.equals("defmember")) {
                standard = defaultMembership();
                in.expect(':');
            } else {
                member(draft, word, standard);
                if (!in.accept(',') && !in.isNext(';')) {
                    throw in.fail("\",\" or \";\"");
                }
            }
        }
    }

    private void member(Draft draft, String word, PartitionMembership standard) {
        Optional<PartitionMember.Ports> ports = keyword(word);
        long guid = ports.isPresent() ? 0 : in.guid(word);
        PartitionMembership membership = in.accept('=') ? membership(in.required("full, limited or both")) : standard;
        count();
        draft.members.add(new PartitionMember(ports.orElse(PartitionMember.Ports.ONE), guid, membership));
    }

    private void count() {
        if (++rules > PartitionsConf.MAX_RULES) {
            throw in.fail("at most " + PartitionsConf.MAX_RULES + " members and groups");
        }
    }

    private static Optional<PartitionMember.Ports> keyword(String word) {
        for (PartitionMember.Ports ports : PartitionMember.Ports.values()) {
            if (ports != PartitionMember.Ports.ONE && ports.name().equalsIgnoreCase(word)) {
                return Optional.of(ports);
            }
        }
        return Optional.empty();
    }

    /** A group ends with its line. */
    private void group(Draft draft, GroupFlags partitionFlags) {
        in.expect('=');
        int line = in.line();
        String text = in.gidWord();
        Gid mgid = gid(text);
        if (mgid == null || !mgid.isMulticast()) {
            throw in.failAtWord("a multicast GID such as ff12:401b::1");
        }
        GroupFlags flags = new GroupFlags(partitionFlags.sl);
        while (in.isNext(',') && in.line() == line) {
            in.expect(',');
            flags.read(in.required("a flag of the group").toLowerCase(Locale.ROOT));
        }
        boolean isIp = PartitionGroup.isIp(mgid);
        if (isIp && PartitionGroup.keyOf(mgid) == 0) {
            mgid = PartitionGroup.withKey(mgid, draft.key);
        } else if (isIp && (PartitionGroup.keyOf(mgid) & MAX_KEY) != draft.key) {
            throw in.fail("P_Key 0x%04x or 0 in the address %s of an IP group".formatted(draft.key, mgid));
        }
        if (isIp) {
            likeBroadcast(draft, mgid, flags);
        }
        if (flags.scopes.isEmpty()) {
            add(draft, mgid, flags);
        }
        for (int scope : flags.scopes) {
            add(draft, PartitionGroup.withScope(mgid, scope), flags);
        }
    }

    /** IP sends what it has no group for to the broadcast group: all have to be as wide. */
    private void likeBroadcast(Draft draft, Gid mgid, GroupFlags flags) {
        PartitionGroup broadcast = draft.groups.get(PartitionGroup.broadcast(draft.key, PartitionGroup.scopeOf(mgid)));
        if (broadcast != null && (broadcast.mtu() != flags.mtu || broadcast.rate() != flags.rate)) {
            throw in.fail("mtu=%d and rate=%d for the IP group %s, as the broadcast group of the partition has"
                    .formatted(broadcast.mtu(), broadcast.rate(), mgid));
        }
    }

    private void add(Draft draft, Gid mgid, GroupFlags flags) {
        count();
        Integer qKey = flags.qKey;
        int standard = PartitionGroup.isIp(mgid) ? PartitionGroup.IP_Q_KEY : 0;
        draft.groups.putIfAbsent(
                mgid,
                new PartitionGroup(
                        mgid,
                        flags.mtu,
                        flags.rate,
                        flags.sl,
                        qKey == null ? standard : qKey,
                        flags.tClass,
                        flags.flowLabel));
    }

    private static @Nullable Gid gid(String text) {
        if (text.contains("%") || !text.contains(":")) {
            return null;
        }
        try {
            InetAddress address = Inet6Address.ofLiteral(text);
            if (address.getAddress().length != Gid.BITS / Byte.SIZE) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
            return new Gid(bytes.getLong(), bytes.getLong());
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** What is given for a group. */
    private final class GroupFlags {
        private int mtu = PartitionGroup.DEFAULT_MTU;
        private int rate = PartitionGroup.DEFAULT_RATE;
        private int sl;
        private @Nullable Integer qKey;
        private int tClass;
        private int flowLabel;
        private final List<Integer> scopes = new ArrayList<>();

        GroupFlags(int sl) {
            this.sl = sl;
        }

        List<Integer> scopes() {
            return scopes.isEmpty() ? List.of(PartitionGroup.DEFAULT_SCOPE) : scopes;
        }

        /** Takes a flag with its value. */
        void read(String flag) {
            switch (flag) {
                case "mtu" -> mtu = value("an MTU code", 1, 5);
                case "rate" -> rate = value("a rate code", 2, 24);
                case "sl" -> sl = value("an SL", 0, 15);
                case "q_key" -> qKey = value("a Q_Key", 0, 0xFFFF_FFFFL);
                case "tclass" -> tClass = value("a traffic class", 0, 0xFF);
                case "flowlabel" -> flowLabel = value("a flow label", 0, 0xFFFFF);
                case "scope" -> {
                    int scope = value("a scope", 1, 15);
                    if (!scopes.contains(scope)) {
                        scopes.add(scope);
                    }
                }
                default -> {
                    remarks.add(in.remarkAtWord("flag \"" + flag + "\" is not known and not used"));
                    if (in.accept('=')) {
                        in.required("a value of the flag");
                    }
                }
            }
        }

        private int value(String what, long min, long max) {
            in.expect('=');
            return (int) in.number(in.required(what), min, max, what);
        }
    }
}
