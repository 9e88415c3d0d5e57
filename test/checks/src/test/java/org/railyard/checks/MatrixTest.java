package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.Requirement;

final class MatrixTest {
    private static Catalogue catalogue(String text) throws IOException {
        return Catalogue.read(new BufferedReader(new StringReader(text)));
    }

    private static RuntimeVisibleAnnotationsAttribute requirement(String... ids) {
        AnnotationValue[] values = Stream.of(ids).map(AnnotationValue::ofString).toArray(AnnotationValue[]::new);
        return RuntimeVisibleAnnotationsAttribute.of(Annotation.of(
                Requirement.class.describeConstable().orElseThrow(),
                AnnotationElement.of("value", AnnotationValue.ofArray(values))));
    }

    /** The class is made here: a real one would be found by the build and appear in the real matrix. */
    @Test
    void findsClaimsOfClassesAndMethods(@TempDir Path folder) throws IOException {
        byte[] compiled = ClassFile.of()
                .build(
                        ClassDesc.of("p.OuterTest$Inner"),
                        type -> type.with(requirement("x-010"))
                                .withMethod(
                                        "both",
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_ABSTRACT,
                                        method -> method.with(requirement("x-005", "x-015")))
                                .withMethod("none", ConstantDescs.MTD_void, ClassFile.ACC_ABSTRACT, _ -> {}));
        Files.write(folder.resolve("Some.class"), compiled);
        assertThat(ClaimScanner.scan(folder))
                .containsExactlyInAnyOrder(
                        new Claim("x-010", "OuterTest.Inner"),
                        new Claim("x-005", "OuterTest.Inner.both"),
                        new Claim("x-015", "OuterTest.Inner.both"));
    }

    @Test
    void writesTheSamePageWhateverTheOrderOfTheTests() throws IOException {
        Catalogue catalogue = catalogue("a-2\tSecond | first\na-1\tOther <x>\nb-1\tThird\n");
        List<Claim> claims = List.of(new Claim("a-2", "Z.z"), new Claim("a-2", "A.a"), new Claim("a-2", "A.a"));
        String page = MatrixPage.render(catalogue, claims);
        assertThat(page)
                .isEqualTo(MatrixPage.render(catalogue, claims.reversed()))
                .containsSubsequence(
                        "| a | 2 | 1 |",
                        "| b | 1 | 0 |",
                        "| all | 3 | 1 |",
                        "| a-2 | Second \\| first | `A.a`, `Z.z` |",
                        "| a-1 | Other &lt;x> | open |");
    }

    @Test
    void namesTheTestOfAnUnknownRequirement() throws IOException {
        assertThat(MatrixPage.unknownIds(
                        catalogue("a-1\tFirst\n"), List.of(new Claim("a-1", "A.a"), new Claim("a-9", "B.b"))))
                .singleElement()
                .asString()
                .contains("B.b", "a-9");
    }

    @Test
    void refusesAMalformedCatalogue() {
        assertThatThrownBy(() -> catalogue("a-1 First\n")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> catalogue("a-1\tFirst\na-1\tAgain\n")).hasMessageContaining("line 2", "twice");
    }

    @Test
    void readsTheCatalogueOfTheSpecification() throws IOException {
        assertThat(Catalogue.load().titles())
                .containsKeys(
                        "cfg-005", "snd-005", "dyn-005", "dbg-005", "hlt-005", "bck-005", "tst-005", "doc-005",
                        "mrx-001", "rsl-001", "cb-001", "mod-001", "t2q-001")
                .hasSizeGreaterThan(450);
    }

    @Test
    void writesAPageForATreeWithoutTests(@TempDir Path root) throws IOException {
        assertThat(RequirementMatrix.write(root)).isEmpty();
        assertThat(root.resolve("docs/requirements.md")).content().contains("| cfg-005 |", "open");
    }
}
