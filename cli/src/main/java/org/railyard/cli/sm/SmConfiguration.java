package org.railyard.cli.sm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.Partition;
import org.railyard.sm.master.OpenSmSettings;
import org.railyard.sm.program.ManagementKey;
import org.railyard.sm.sa.SaSettings;

/**
 * What a subnet manager is configured with, as it was read.
 *
 * @param sm of the subnet manager
 * @param sa of subnet administration
 * @param files checksums of the files that it was read from
 * @param prefixPlace where the subnet prefix is told, or would be; empty without an opensm.conf
 * @param warnings what in the files does not count, or counts otherwise than it is written
 */
record SmConfiguration(
        SmSettings sm, SaSettings sa, SortedMap<Path, Long> files, String prefixPlace, List<String> warnings) {
    private static final double SECOND = 1e9;

    /** Returns the same for a subnet manager at the port with a GUID. */
    SmConfiguration at(long smGuid) {
        return new SmConfiguration(sm.withKeys(sa.partitions().keys(smGuid)), sa, files, prefixPlace, warnings);
    }

    /** Returns what is different from an earlier one, one line each. */
    List<String> changes(SmConfiguration before) {
        List<String> changes = new ArrayList<>();
        files.forEach((file, sum) -> {
            Long known = before.files.get(file);
            if (!sum.equals(known)) {
                changes.add(file + (known == null ? " is read, too" : " has changed"));
            }
        });
        before.files.keySet().stream()
                .filter(file -> !files.containsKey(file))
                .forEach(file -> changes.add(file + " is not read any more"));
        managerChanges(before.sm, changes);
        administrationChanges(before.sa, changes);
        return changes;
    }

    private void managerChanges(SmSettings old, List<String> changes) {
        add(changes, "lmc", old.lmc(), sm.lmc());
        if (old.sweepNanos() != sm.sweepNanos()) {
            changes.add("light sweeps: %s, were %s".formatted(interval(sm.sweepNanos()), interval(old.sweepNanos())));
        }
        add(changes, "priority", old.role().priority(), sm.role().priority());
        if (!old.role().equals(sm.role()) && old.role().priority() == sm.role().priority()) {
            changes.add("SM_Key, or how a master is polled");
        }
        ManagementKey was = old.ports().key();
        ManagementKey key = sm.ports().key();
        if (was.key() != key.key()) {
            changes.add(key.key() == 0 ? "no M_Key any more" : was.key() == 0 ? "an M_Key" : "another M_Key");
        }
        add(changes, "protection level of the M_Key", was.protect(), key.protect());
        add(changes, "lease of the M_Key, s", was.leaseSeconds(), key.leaseSeconds());
        if (old.ports().enforcement() != sm.ports().enforcement()) {
            changes.add("enforcement of partitions at switches");
        }
        if (!old.ports().equals(sm.ports())) {
            changes.add("parameters of ports");
        }
    }

    private static String interval(long nanos) {
        return nanos == OpenSmSettings.NEVER ? "off" : "every %.0f s".formatted(nanos / SECOND);
    }

    private void administrationChanges(SaSettings old, List<String> changes) {
        if (old.saKey() != sa.saKey()) {
            changes.add("sa_key");
        }
        add(changes, "packet life", old.packetLife(), sa.packetLife());
        if (!old.prefixRoutes().equals(sa.prefixRoutes())) {
            changes.add("prefix routes");
        }
        if (!old.qos().equals(sa.qos())) {
            changes.add("QoS policy");
        }
        Map<Integer, Partition> known = new LinkedHashMap<>();
        old.partitions().partitions().forEach(partition -> known.put(partition.key(), partition));
        for (Partition partition : sa.partitions().partitions()) {
            Partition was = known.remove(partition.key());
            if (!partition.equals(was)) {
                changes.add(name(partition) + (was == null ? " is new" : " has changed"));
            }
        }
        known.values().forEach(partition -> changes.add(name(partition) + " is gone"));
    }

    private static String name(Partition partition) {
        return "partition 0x%04x%s"
                .formatted(partition.key(), partition.name().isEmpty() ? "" : " (" + partition.name() + ")");
    }

    private static void add(List<String> changes, String what, long old, long now) {
        if (old != now) {
            changes.add("%s: %d, was %d".formatted(what, now, old));
        }
    }
}
