package org.railyard.lab.run;

import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;

/** A small scenario for tests. */
final class Small {
    private static final String YAML = """
        rails:
          blue: {latency: 20us, jitter: 5us}
          green: {latency: 20us, jitter: 5us}
        nodes:
          client:
            count: 2
            devices: {eth0: blue, eth1: green}
            config: &config
              net:
                - net type: tcp
                  local NI(s):
                    - interfaces: {0: eth0}
                    - interfaces: {0: eth1}
              global: {transaction_timeout: 5}
              java: {health_recovery_increment: 100}
          server:
            devices: {eth0: blue, eth1: green}
            config: *config
        load:
          - {from: client, to: server, do: [KINDS], size: 64..20KiB, concurrency: 4, rate: 100/s, start: 200ms, for: 2s}
        faults: [FAULTS]
        expect: {min_ok: 20}
        settle: 60s
        """;

    private Small() {}

    /** Returns it in which nothing fails. */
    static Scenario scenario() {
        return scenario("put, get", "");
    }

    static Scenario scenario(String kinds, String faults) {
        try {
            return ScenarioReader.read("small", YAML.replace("KINDS", kinds).replace("FAULTS", faults));
        } catch (DocumentException e) {
            throw new AssertionError(e);
        }
    }
}
