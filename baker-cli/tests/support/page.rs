//! The page of `navbake view` without a browser: its scripts run in node on a
//! small imitation of a document (`view/shim.js`).

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, NavMesh};
use serde_json::Value;

/// Whether node is installed. If not, prints that the test is skipped.
pub(crate) fn has_node(test: &str) -> bool {
    let found = Command::new("node").arg("--version").output().is_ok();
    if !found {
        println!("skipped: {test} needs node");
    }
    found
}

/// The data of a page, which its scripts read.
pub(crate) fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

/// The results of tasks in a page, see `view/shim.js`.
pub(crate) fn run_page(page: &Path, tasks: &Value) -> Vec<Value> {
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view/shim.js");
    let mut child = Command::new("node")
        .args([shim.as_path(), page])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(tasks.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {errors}"))
}

/// The default agents, and one that walks, jumps, drops and flies.
pub(crate) fn agents() -> Vec<AgentProfile> {
    let mut agents = default_agents(16.0);
    let harpy = AgentProfile {
        name: "harpy".into(),
        edges: EdgeSet::FLOOR | EdgeSet::FLY | EdgeSet::JUMP | EdgeSet::DROP,
        ..agents[0].clone()
    };
    agents.push(harpy);
    agents
}

pub(crate) fn baked(level: &Level) -> NavMesh {
    bake(level, &Settings::for_agents(agents()), &NoProgress).unwrap()
}
