package org.railyard.itest.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many objects of cards a process of the guest has, and may have: those of its cgroup. */
final class RxeQuota {
    /** Commands that put the shell, and what it starts, into a cgroup of its own. */
    static final String ENTER = """
        mkdir -p /run/cgroup && mount -t cgroup2 none /run/cgroup
        echo +rdma > /run/cgroup/cgroup.subtree_control; mkdir -p /run/cgroup/own
        echo $$ > /run/cgroup/own/cgroup.procs
        """;

    private static final Path GROUP = Path.of("/run/cgroup/own");
    private static final String OBJECTS = "hca_object=";

    private RxeQuota() {}

    /** Returns how many objects of a device there are: queue pairs, completion queues, regions, domains, windows. */
    static int objects(String device) {
        try {
            return Files.readAllLines(GROUP.resolve("rdma.current")).stream()
                    .filter(line -> line.startsWith(device + " "))
                    .map(line -> line.substring(line.indexOf(OBJECTS) + OBJECTS.length())
                            .strip())
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Allows so many objects of a device. */
    static void allow(String device, String objects) {
        try {
            Files.writeString(GROUP.resolve("rdma.max"), device + " " + OBJECTS + objects + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
