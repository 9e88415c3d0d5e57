package org.railyard.node;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.config.ni.Device;
import org.railyard.control.node.NodeEnvironment;
import org.railyard.doctor.HostFacts;
import org.railyard.node.facts.SystemFacts;

/** A machine without devices and parameters, that knows no host, and whose time does not go by. */
abstract class BareMachine implements NodeEnvironment {
    @Override
    public List<Device> devices() {
        return List.of();
    }

    @Override
    public HostFacts facts() {
        return new SystemFacts();
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of();
    }

    @Override
    public byte @Nullable [] addressOf(String hostName) {
        return null;
    }

    @Override
    public Runnable callAfter(int seconds, Runnable task) {
        return () -> {};
    }
}
