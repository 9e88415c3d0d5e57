package org.railyard.base.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;

/** Documents as text. */
final class YamlTextTest {
    @Test
    @Requirement("cfg-055")
    void theThreeLayouts() {
        Map<String, Object> ni = new Doc()
                .put("nid", "fd00::1@tcp")
                .put("interfaces", new Doc().put("0", "eth0"))
                .put("CPT", "[0]")
                .map();
        Map<String, Object> net =
                new Doc().put("net type", "tcp").put("local NI(s)", List.of(ni)).map();
        assertThat(YamlText.of(Map.of("net", List.of(net)))).isEqualTo("""
            net:
            -     net type: tcp
                  local NI(s):
                  -     nid: fd00::1@tcp
                        interfaces:
                              0: eth0
                        CPT: "[0]"
            """);
        Map<String, Object> answer = new Doc()
                .put("Multi-Rail", true)
                .put("peer_ni", List.of(Map.of("nid", "1.1.1.1@tcp")))
                .map();
        assertThat(YamlText.of(Map.of("ping", List.of(answer)))).isEqualTo("""
            ping:
            - Multi-Rail: true
              peer_ni:
              - nid: 1.1.1.1@tcp
            """);
        Map<String, Object> rule = new Doc()
                .put("idx", 0)
                .put("action", new Doc().put("priority", 1))
                .map();
        assertThat(YamlText.of(Map.of("udsp", List.of(rule)))).isEqualTo("""
            udsp:
                - idx: 0
                  action:
                      priority: 1
            """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "*@tcp",
                "[0-255].1.1.1@tcp",
                "true",
                "No",
                "12",
                "0x10",
                "1e3",
                "~",
                "a: b",
                "a #b",
                "a:",
                " a",
                "a ",
                "tab\tnew\nline",
                "\"quoted\" \\",
                "é…\u2028\u0007",
                "<?>",
                "-1",
                "- a",
                "10.0.0.1@tcp",
                "null",
                "{a}",
                "1.5"
            })
    void anyTextReadsBackAsItself(String text) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("k", text);
        document.put("list", List.of(text, 1L, true));
        document.put("map", Map.of(text, text));
        assertThat(DocReader.mapping(YamlText.of(document))).isEqualTo(document);
        assertThat(DocReader.mapping(JsonText.of(document))).isEqualTo(document);
    }

    @Test
    void whatIsNoMappingIsRefused() {
        assertThat(DocReader.mapping(" ")).isEmpty();
        assertThatThrownBy(() -> DocReader.mapping("[1]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DocReader.mapping("{a: [")).isInstanceOf(IllegalArgumentException.class);
    }
}
