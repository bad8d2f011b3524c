//! What comes to a window from outside of its page: a press on its close button, and files that another program drags over it. WebDriver
//! knows neither, so the X server is asked for both, as window managers and file managers ask it.

use std::cell::Cell;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, MapState, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window as XWindow, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{CURRENT_TIME, NONE};

use crate::window::Window;

/// The version of the protocol by which programs drag to each other.
const XDND_VERSION: u32 = 5;

/// Asks the window to close, as its close button does.
pub fn press_close_button(window: &Window) {
    let x11 = X11::connect(window);
    x11.send("WM_PROTOCOLS", [x11.atom("WM_DELETE_WINDOW"), CURRENT_TIME, 0, 0, 0]);
}

/// Whether the window is still there.
pub fn is_shown(window: &Window) -> bool {
    let (connection, root) = display();
    !windows_of(window, &connection, root).is_empty()
}

/// Files that are held over the window.
pub struct Drag {
    x11: X11,
    /// The window of the program that they come from; it is not shown.
    source: XWindow,
    list: Vec<u8>,
    accepted: Cell<bool>,
    finished: Cell<bool>,
}

impl Drag {
    pub fn begin(window: &Window, files: &[&Path]) -> Self {
        let x11 = X11::connect(window);
        let (setup, source) = (x11.connection.setup(), x11.connection.generate_id().unwrap());
        let (root, depth) = (setup.roots[0].root, setup.roots[0].root_depth);
        let (class, settings) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        x11.connection.create_window(depth, source, root, 0, 0, 1, 1, 0, class, 0, &settings).unwrap().check().unwrap();
        let selection = x11.atom("XdndSelection");
        x11.connection.set_selection_owner(source, selection, CURRENT_TIME).unwrap().check().unwrap();
        let list = files.iter().map(|file| format!("{}\r\n", address(file))).collect::<String>().into_bytes();
        x11.send("XdndEnter", [source, XDND_VERSION << 24, x11.atom("text/uri-list"), 0, 0]);
        Self { x11, source, list, accepted: Cell::new(false), finished: Cell::new(false) }
    }

    /// Moves in the middle of the window, and says whether the window would take the files by now.
    pub fn is_accepted(&self) -> bool {
        let area = self.x11.connection.get_geometry(self.x11.window).unwrap().reply().unwrap();
        let middle = |from: i16, size: u16| from.unsigned_abs() + size / 2;
        let place = u32::from(middle(area.x, area.width)) << 16 | u32::from(middle(area.y, area.height));
        let copy = self.x11.atom("XdndActionCopy");
        self.x11.send("XdndPosition", [self.source, 0, place, CURRENT_TIME, copy]);
        self.attend();
        self.accepted.get()
    }

    /// Lets the files fall; [`Drag::is_over`] says when they have arrived.
    pub fn release(&self) {
        self.x11.send("XdndDrop", [self.source, 0, CURRENT_TIME, 0, 0]);
    }

    /// Takes the files away again.
    pub fn leave(&self) {
        self.x11.send("XdndLeave", [self.source, 0, 0, 0, 0]);
    }

    /// Whether the window has what was let fall.
    pub fn is_over(&self) -> bool {
        self.attend();
        self.finished.get()
    }

    /// Answers whatever the window has asked.
    fn attend(&self) {
        let (status, finished) = (self.x11.atom("XdndStatus"), self.x11.atom("XdndFinished"));
        while let Some(event) = self.x11.connection.poll_for_event().unwrap() {
            match event {
                Event::SelectionRequest(request) => self.hand_over(&request),
                Event::ClientMessage(message) if message.type_ == status => {
                    self.accepted.set(message.data.as_data32()[1] & 1 == 1);
                }
                Event::ClientMessage(message) if message.type_ == finished => self.finished.set(true),
                _ => {}
            }
        }
    }

    fn hand_over(&self, request: &SelectionRequestEvent) {
        let connection = &self.x11.connection;
        let known = request.target == self.x11.atom("text/uri-list");
        if known {
            let (mode, kind) = (PropMode::REPLACE, request.target);
            connection.change_property8(mode, request.requestor, request.property, kind, &self.list).unwrap();
        }
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: if known { request.property } else { NONE },
        };
        connection.send_event(false, request.requestor, EventMask::NO_EVENT, answer).unwrap().check().unwrap();
    }
}

/// A connection to the display, and the window on it.
struct X11 {
    connection: RustConnection,
    window: XWindow,
}

impl X11 {
    fn connect(window: &Window) -> Self {
        let (connection, root) = display();
        let found = windows_of(window, &connection, root);
        let [window] = found[..] else { panic!("there is one window: {found:?}") };
        Self { connection, window }
    }

    fn atom(&self, name: &str) -> Atom {
        atom(&self.connection, name)
    }

    fn send(&self, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.window, self.atom(kind), data);
        self.connection.send_event(false, self.window, EventMask::NO_EVENT, message).unwrap().check().unwrap();
    }
}

/// With the window that all others are in.
fn display() -> (RustConnection, XWindow) {
    let (connection, screen) = x11rb::connect(None).unwrap();
    let root = connection.setup().roots[screen].root;
    (connection, root)
}

/// Those of the app that are shown and take files.
fn windows_of(window: &Window, connection: &RustConnection, root: XWindow) -> Vec<XWindow> {
    let (aware, process) = (atom(connection, "XdndAware"), atom(connection, "_NET_WM_PID"));
    let driver = window.server.0.id().to_string();
    let is_ours = |candidate: XWindow| {
        // A window may go between two questions.
        let property =
            |name| connection.get_property(false, candidate, name, AtomEnum::ANY, 0, 1).unwrap().reply().ok();
        let facts = connection.get_window_attributes(candidate).unwrap().reply().ok()?;
        let process = property(process)?.value32()?.next()?;
        // Whatever is between the parentheses, the state and the parent come after them.
        let parent = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let parent = parent.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        let takes_files = property(aware)?.length > 0;
        // A tooltip is a window, too.
        let is_shown = facts.map_state == MapState::VIEWABLE && !facts.override_redirect;
        (is_shown && takes_files && parent == driver).then_some(candidate)
    };
    let all = connection.query_tree(root).unwrap().reply().unwrap().children;
    all.into_iter().filter_map(is_ours).collect()
}

fn atom(connection: &RustConnection, name: &str) -> Atom {
    connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
}

/// As programs name files to each other.
fn address(file: &Path) -> String {
    let mut address = "file://".to_owned();
    for byte in file.to_str().unwrap().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            address.push(byte.into());
        } else {
            write!(address, "%{byte:02X}").unwrap();
        }
    }
    address
}
