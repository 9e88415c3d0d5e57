package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.CpuLayout.Cpu;
import org.railyard.base.host.CpuLayout.NumaNode;
import org.railyard.testkit.Requirement;

class SysfsLayoutTest {
    @TempDir
    private Path system;

    private void write(String file, String text) throws IOException {
        Path path = system.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    @Test
    @Requirement({"snd-010", "snd-015"})
    void nodesCpusCoresAndDistances() throws IOException {
        write("node/node0/cpulist", "0-1,4-5");
        write("node/node0/distance", "10 21 31");
        write("node/node10/cpulist", "");
        write("node/node10/distance", "31 21 10");
        write("node/node2/cpulist", "2,3");
        write("node/node2/distance", "21 10 21");
        write("node/online", "0-1");
        write("cpu/cpu0/topology/thread_siblings_list", "0,4");
        write("cpu/cpu4/topology/thread_siblings_list", "0,4");
        assertThat(SysfsLayout.read(system))
                .isEqualTo(new CpuLayout(List.of(
                        new NumaNode(
                                0,
                                List.of(new Cpu(0, 0), new Cpu(1, 1), new Cpu(4, 0), new Cpu(5, 5)),
                                List.of(10, 21, 31)),
                        new NumaNode(2, List.of(new Cpu(2, 2), new Cpu(3, 3)), List.of(21, 10, 21)),
                        new NumaNode(10, List.of(), List.of(31, 21, 10)))));
    }

    @Test
    @Requirement("snd-015")
    void withoutTheFilesThereIsOneNode() throws IOException {
        CpuLayout flat = CpuLayout.flat(Runtime.getRuntime().availableProcessors());
        assertThat(SysfsLayout.read(system.resolve("nowhere"))).isEqualTo(flat);
        write("node/node0/cpulist", "0-1");
        assertThat(SysfsLayout.read(system)).as("no distances").isEqualTo(flat);
        write("node/node0/distance", "10 20");
        assertThat(SysfsLayout.read(system)).as("too many distances").isEqualTo(flat);
        write("node/node0/distance", "near");
        assertThat(SysfsLayout.read(system)).as("no number").isEqualTo(flat);
        write("node/node0/distance", "10");
        write("node/node0/cpulist", "0-99999999");
        assertThat(SysfsLayout.read(system)).as("too many CPUs").isEqualTo(flat);
        write("node/node0/cpulist", "");
        assertThat(SysfsLayout.read(system)).as("no CPU").isEqualTo(flat);
    }

    @Test
    void thisMachineHasCpus() {
        RealHost host = new RealHost();
        assertThat(host.cpuLayout().nodes()).anyMatch(node -> !node.cpus().isEmpty());
        assertThat(host.cpuLayout()).isSameAs(new RealHost().cpuLayout());
        assertThat(host.currentCpu()).isBetween(-1, CpuLayout.LIMIT);
    }
}
